/** The promise did not settle in time. */
class TimedOut extends Error {
  override name = 'TimedOut'
}

/**
 * Resolves like the promise, or rejects with `TimedOut` after `ms`. An answer that arrived while the event loop was busy
 * still counts: timers run before sockets are read.
 */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => setImmediate(() => reject(new TimedOut(`No answer within ${ms} ms`)))
    const timer = setTimeout(giveUp, ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
