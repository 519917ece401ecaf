import { CommanderError } from 'commander'
import { explain } from './explain.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const failed = 1
const misused = 2

/**
 * Runs one command to its end.
 * @param words what follows `tenantry`
 * @returns the exit code: 0 done, 1 failed (why is on standard error), 2 not a command that exists
 */
export async function runTenantry(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has said what is wrong by now; asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused
    terminal.warn(`${explain(error)}\n`)
    return failed
  }
}
