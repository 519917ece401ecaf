import { createHook } from 'node:async_hooks'

/** What `createHook` returns. */
interface Hook {
  enable(): this
  disable(): this
}

let runnersHook: Hook | null = null
const prototype: Hook = Object.getPrototypeOf(createHook({}))
const { enable } = prototype
prototype.enable = function (this: Hook) {
  runnersHook ??= this
  return enable.call(this)
}

/**
 * Switches off and on that the test runner records the test that created each promise, socket and timer, which costs a
 * quarter of the processor time of the tests. The runner needs these records while a test is created and while its
 * function declares others. It also uses them to fail the test that caused an uncaught error, so `run-files.ts` ends the process on such an error.
 *
 * A process imports this module before any that calls `node:test`, since the first call enables the hook.
 */
export function trackAsync(tracked: boolean): void {
  if (runnersHook === null) throw new Error('node:test was called before async-tracking.ts was imported')
  if (tracked) runnersHook.enable()
  else runnersHook.disable()
}
