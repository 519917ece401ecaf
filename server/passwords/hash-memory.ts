/** The minimum in MiB: one of our hashes (19,456 KiB). */
export const leastHashMemoryMiB = 19
const mostByDefaultMiB = 256
const MIB = 2 ** 20

/**
 * The default of TENANTRY_HASH_MEMORY, in MiB: 256, or half of the memory limit of the container or service (cgroups v1
 * and v2) when that is less. The other half is for the rest of the process.
 * @param limitBytes as `process.constrainedMemory()` reports it: 0 or a huge number where there is no limit
 */
export function defaultHashMemoryMiB(limitBytes: number = process.constrainedMemory()): number {
  if (limitBytes <= 0) return mostByDefaultMiB
  return Math.max(leastHashMemoryMiB, Math.min(mostByDefaultMiB, Math.floor(limitBytes / 2 / MIB)))
}
