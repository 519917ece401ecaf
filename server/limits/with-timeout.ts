/** Nothing came in the time there was. */
export class TimedOut extends Error {
  override name = 'TimedOut'
}

/**
 * What the promise comes to, if it does within so many milliseconds; else rejects with TimedOut. An answer that
 * arrived while this process was busy with something else is still taken: timers run before sockets are read.
 */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => setImmediate(() => reject(new TimedOut(`No answer within ${ms} ms`)))
    const timer = setTimeout(giveUp, ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
