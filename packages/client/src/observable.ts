/** A value that others follow, as `useSyncExternalStore` requires it: the same object until it changes. */
export interface Observable<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Returns what to call to leave. */
  readonly subscribe: (listener: (value: T) => void) => () => void
  /** Removes all listeners. */
  readonly clear: () => void
}

/** @param onFirst called when the first listener subscribes; can return what to call when the last one leaves */
export function observable<T>(value: T, onFirst?: () => (() => void) | undefined): Observable<T> {
  const listeners = new Set<(value: T) => void>()
  let onLast: (() => void) | undefined

  /** Reports an error as uncaught, because the error of a listener must not fail a call. */
  function notify(listener: (value: T) => void): void {
    try {
      listener(value)
    } catch (error) {
      setTimeout(() => {
        throw error
      })
    }
  }

  return {
    get: () => value,
    set(next) {
      value = next
      // A listener may change the value, and then the others hear of the last change.
      for (const listener of [...listeners]) notify(listener)
    },
    subscribe(listener) {
      // React subscribes each component with its own function.
      listeners.add(listener)
      if (listeners.size === 1) onLast = onFirst?.()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) onLast?.()
      }
    },
    clear: () => listeners.clear(),
  }
}
