import { CommanderError } from 'commander'
import { readEnvFile } from '../server/settings/env-file.ts'
import { sourceOfKey } from './connection.ts'
import { globalOptions } from './global-options.ts'
import { createProgram } from './program.ts'
import { explain } from './terminal/explain.ts'
import { CommandFailure, type Terminal } from './terminal/terminal.ts'

const failed = 1
const misused = 2

/**
 * Runs one command.
 * @param words the arguments after `tenantry`
 * @returns the exit code: 0 success, 1 failure (explained on standard error), 2 invalid usage
 */
export async function runTenantry(words: readonly string[], terminal: Terminal): Promise<number> {
  let url: string | undefined
  let used = terminal
  try {
    used = withEnvFile(terminal)
    const program = createProgram(used).hook('preAction', (_program, command) => {
      url = globalOptions(command).url
    })
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed the error. --help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    terminal.warn(`${explain(error, () => sourceOfKey(url, used))}\n`)
    return failed
  }
}

/** The terminal with the settings of `.env` in its folder, like the server's. */
function withEnvFile(terminal: Terminal): Terminal {
  try {
    return { ...terminal, env: { ...readEnvFile(terminal.folder)?.values, ...terminal.env } }
  } catch (error) {
    throw new CommandFailure((error as Error).message)
  }
}
