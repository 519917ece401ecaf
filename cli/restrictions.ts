import type { Command } from 'commander'
import type { Suspension } from '../contract/user.ts'
import { time } from './time.ts'

/** What `--none` is for: without it, forgetting to name a capability would allow everything. */
export const noneOption = ['--none', 'nothing is restricted any more'] as const

/** The capabilities that are restricted from now on: those named, or none at all; one of the two has to be said. */
export function requireRestrictions<T>(named: readonly T[], none: boolean | undefined, command: Command): T[] {
  if (named.length > 0 === Boolean(none)) command.error('error: name the capabilities to restrict, or say --none')
  return [...named]
}

/** What a suspension or restriction of a user carries. */
export interface Why {
  readonly reason?: string
  readonly until?: string
}

/** Adds the options for it. */
export const addWhyOptions = (command: Command): Command =>
  command
    .option('--reason <text>', "why; the user's own export shows it")
    .option(
      '--until <time>',
      'when it ends by itself, such as 2027-01-31 or 2027-01-31T18:00:00Z (default: never)',
      time,
    )

/** `what` with why and until when, where either is known: `upload (rude words, until 2027-01-31T00:00:00.000Z)`. */
export function withWhy(what: string, { reason, until }: Suspension): string {
  const why = [...(reason === null ? [] : [reason]), ...(until === null ? [] : [`until ${until}`])]
  return why.length === 0 ? what : `${what} (${why.join(', ')})`
}
