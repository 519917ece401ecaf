/** A task of which one run is under way at a time: a call meanwhile gets the result of that run. */
export function joined<A extends unknown[], T>(task: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let running: Promise<T> | undefined
  return (...args) => {
    running ??= task(...args).finally(() => {
      running = undefined
    })
    return running
  }
}
