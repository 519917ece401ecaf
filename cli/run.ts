import { CommanderError } from 'commander'
import { applyEnvFile } from '../server/settings/env-file.ts'
import { sourceOfKey } from './connection.ts'
import { globalOptions } from './global-options.ts'
import { createProgram } from './program.ts'
import { explain } from './terminal/explain.ts'
import type { Terminal } from './terminal/terminal.ts'

const failed = 1
const misused = 2

/**
 * Runs one command.
 * @param words the arguments after `tenantry`
 * @returns the exit code: 0 success, 1 failure (explained on standard error), 2 invalid usage
 */
export async function runTenantry(words: readonly string[], terminal: Terminal): Promise<number> {
  let url: string | undefined
  try {
    // Into the environment itself, as the server does: the driver of PostgreSQL reads PGPASSWORD there.
    applyEnvFile(terminal.env, terminal.folder)
    const program = createProgram(terminal).hook('preAction', (_program, command) => {
      url = globalOptions(command).url
    })
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed the error. --help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    terminal.warn(`${explain(error, () => sourceOfKey(url, terminal))}\n`)
    return failed
  }
}
