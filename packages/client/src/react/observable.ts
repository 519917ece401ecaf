/** A value for `useSyncExternalStore`: the same object until it changes. */
export interface Observable<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** @param onFirst called when the first listener subscribes; can return what to call when the last one leaves */
export function observable<T>(value: T, onFirst: () => (() => void) | undefined): Observable<T> {
  const listeners = new Set<() => void>()
  let onLast: (() => void) | undefined
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      // React subscribes each component with its own function.
      listeners.add(listener)
      if (listeners.size === 1) onLast = onFirst()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) onLast?.()
      }
    },
  }
}
