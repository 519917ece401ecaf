import type { Command } from 'commander'
import { asJson } from './answer.ts'
import type { Terminal } from './terminal.ts'

/** What every command that works on a database itself takes. */
export interface DatabaseOption {
  readonly database?: string
}

/** Adds the option for the database. */
export const addDatabaseOption = (command: Command): Command =>
  command.option('--database <url>', 'sqlite:<path> or postgres://… (default: DATABASE_URL, as the server reads it)')

/** Shows what a command came to: as JSON where that is wanted, else as text. */
export function show(command: Command, terminal: Terminal, value: unknown, text: string): void {
  const { json } = command.optsWithGlobals<{ json?: true }>()
  terminal.write(json ? asJson(value) : `${text.trimEnd()}\n`)
}
