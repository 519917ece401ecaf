import { setTimeout as pause } from 'node:timers/promises'

/**
 * Resolves once it holds, for what nobody is told of: what a peer has seen, what a database is doing.
 *
 * @param withinMs rejects when it has not held by then
 */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds}`)
    await pause(5)
  }
}
