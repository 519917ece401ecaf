import type { Command } from 'commander'

/** The options that every command takes; `createProgram` declares them. */
interface GlobalOptions {
  readonly url?: string
  readonly json?: true
}

export const globalOptions = (command: Command): GlobalOptions => command.optsWithGlobals<GlobalOptions>()
