/** The processor time of this thread, in milliseconds. Unlike the time that passes, it does not depend on what else the machine does. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The least of up to five measurements, the first one below the limit: garbage collection, compilation and what else runs on a
 * machine can make any of them longer.
 */
export function leastMs(limit: number, measure: () => number): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5 && least >= limit; attempt++) least = Math.min(least, measure())
  return least
}
