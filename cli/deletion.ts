import { CommandFailure } from './terminal.ts'

/** Deleting cannot be taken back, and an id is easily the wrong one: it has to be said twice. */
export function requireYes(yes: boolean | undefined, what: string): void {
  if (!yes) throw new CommandFailure(`This deletes ${what}, for good. Run it again with --yes.`)
}
