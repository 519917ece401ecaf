import { setTimeout as pause } from 'node:timers/promises'

/**
 * Resolves once a condition holds that has no event: the state of a peer or of a database.
 *
 * @param withinMs rejects when it does not hold in time; by default so long that only a fault takes it on a busy machine
 */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`condition not met within ${withinMs} ms: ${holds}`)
    await pause(5)
  }
}
