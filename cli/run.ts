import { CommanderError } from 'commander'
import { explain } from './explain.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const failed = 1
const misused = 2

/**
 * Runs one command.
 * @param words the arguments after `tenantry`
 * @returns the exit code: 0 success, 1 failure (explained on standard error), 2 invalid usage
 */
export async function runTenantry(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed the error. --help has exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    terminal.warn(`${explain(error)}\n`)
    return failed
  }
}
