/**
 * Requests that the API refused because the session has ended. They wait until the operator has signed in again, and are
 * then sent again: a 401 changed nothing. So nothing that was typed is lost, and a save that met it goes on.
 */
let waiting: PromiseWithResolvers<boolean> | null = null
const listeners = new Set<() => void>()

/** Whether the operator is asked to sign in again. */
export const isSessionEnded = (): boolean => waiting !== null

/** For `useSyncExternalStore`. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks to sign in again. */
export function askToSignIn(): Promise<boolean> {
  if (waiting === null) {
    waiting = Promise.withResolvers()
    for (const listener of listeners) listener()
  }
  return waiting.promise
}

/** Resolves with whether the request is to be sent again; rejects when it is no longer wanted. */
export function untilSignedIn(signal?: AbortSignal | null): Promise<boolean> {
  const promise = askToSignIn()
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    void promise.then(resolve)
  })
}

/** @param again whether the requests that wait are to be sent again; otherwise they fail with the answer they got */
export function endWaiting(again: boolean): void {
  waiting?.resolve(again)
  waiting = null
  for (const listener of listeners) listener()
}
