import type { Command } from 'commander'

/** What `--none` is for: without it, forgetting to name a capability would allow everything. */
export const noneOption = ['--none', 'nothing is restricted any more'] as const

/** The capabilities that are restricted from now on: those named, or none at all; one of the two has to be said. */
export function requireRestrictions<T>(named: readonly T[], none: boolean | undefined, command: Command): T[] {
  if (named.length > 0 === Boolean(none)) command.error('error: name the capabilities to restrict, or say --none')
  return [...named]
}
