import { CommandFailure } from './terminal/terminal.ts'

/** Deleting cannot be undone, and ids are easily mixed up: it requires a confirmation. */
export function requireYes(yes: boolean | undefined, what: string): void {
  if (!yes) throw new CommandFailure(`This permanently deletes ${what}. Add --yes to confirm.`)
}
