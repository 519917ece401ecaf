/** Calls of one second do not end in order, so one may be counted this much later. */
const lateSeconds = 10

/**
 * Counts calls, to bound how many of one second have an effect.
 * @returns counts a call at a time in epoch milliseconds; the number of this call within its second, from 1. A call that
 *   comes late counts for the current second. A clock that is set back further begins a new one.
 */
export function createSecondCounter(): (now: number) => number {
  let second = 0
  let count = 0
  return (now) => {
    const current = Math.floor(now / 1000)
    if (current > second || current < second - lateSeconds) [second, count] = [current, 0]
    return ++count
  }
}
