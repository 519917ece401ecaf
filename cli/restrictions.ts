import type { Command } from 'commander'
import type { Suspension } from '../contract/accounts/user.ts'
import { time } from './terminal/time.ts'

/** Explicit, so that a forgotten capability does not lift all restrictions. */
export const noneOption = ['--none', 'lift all restrictions'] as const

/** The capabilities to restrict: those named, or none with `--none`; exactly one of the two is required. */
export function requireRestrictions<T>(named: readonly T[], none: boolean | undefined, command: Command): T[] {
  if (named.length > 0 === Boolean(none)) command.error('error: specify the capabilities to restrict, or --none')
  return [...named]
}

/** The reason and the end of a suspension or restriction. */
export interface Why {
  readonly reason?: string
  readonly until?: string
}

/** Adds `--reason` and `--until`. */
export const addWhyOptions = (command: Command): Command =>
  command
    .option('--reason <text>', "reason, which is included in the user's export")
    .option('--until <time>', 'end, such as 2027-01-31 or 2027-01-31T18:00:00Z (default: never)', time)

/** `what` with reason and end, where set: `upload (abuse, until 2027-01-31T00:00:00.000Z)`. */
export function withWhy(what: string, { reason, until }: Suspension): string {
  const why = [...(reason === null ? [] : [reason]), ...(until === null ? [] : [`until ${until}`])]
  return why.length === 0 ? what : `${what} (${why.join(', ')})`
}
