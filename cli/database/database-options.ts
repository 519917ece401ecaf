import type { Command } from 'commander'
import { asJson } from '../answer.ts'
import { globalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The options of every command that opens the database directly. */
export interface DatabaseOption {
  readonly database?: string
}

/** Adds `--database`. */
export const addDatabaseOption = (command: Command): Command =>
  command.option('--database <url>', 'sqlite:<path> or postgres://… (default: DATABASE_URL)')

/** Prints the result of a command: as JSON with --json, otherwise as text. */
export function show(command: Command, terminal: Terminal, value: unknown, text: string): void {
  const { json } = globalOptions(command)
  terminal.write(json ? asJson(value) : `${text.trimEnd()}\n`)
}
