import { runTenantry } from './run.ts'
import type { Terminal } from './terminal.ts'

/** What came of one command. */
export interface CommandResult {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** The world a test gives a command; nothing of the process's own. */
export interface TestWorld {
  readonly env?: Terminal['env']
  readonly folder?: string
  /** What standard input holds. */
  readonly input?: string
}

/** Runs a command as a person would type it, in a world of its own. */
export async function type(
  words: readonly string[],
  { env = {}, folder = '/', input = '' }: TestWorld,
): Promise<CommandResult> {
  const result = { output: '', errors: '' }
  const exitCode = await runTenantry(words, {
    env,
    folder,
    write(text) {
      result.output += text
    },
    warn(text) {
      result.errors += text
    },
    readInput: async () => input,
    async *openInput() {
      yield Buffer.from(input)
    },
  })
  return { exitCode, ...result }
}
