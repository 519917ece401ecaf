import { runTenantry } from '../run.ts'
import type { Terminal } from './terminal.ts'

/** The result of a command. */
export interface CommandResult {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** The environment of a command in a test; nothing is inherited from the process. */
interface TestWorld {
  readonly env?: Terminal['env']
  readonly folder?: string
  /** The content of standard input. */
  readonly input?: string
  /** Receives what is drawn on standard error as a terminal. */
  readonly screen?: Terminal['screen']
  /** Its abort is Ctrl-C. */
  readonly interrupted?: AbortSignal
  /** Called with each piece of output. */
  readonly onOutput?: (text: string) => void
}

/** Runs a command as typed, in an isolated environment. */
export async function type(
  words: readonly string[],
  { env = {}, folder = '/', input = '', screen = null, interrupted, onOutput }: TestWorld,
): Promise<CommandResult> {
  const result = { output: '', errors: '' }
  const exitCode = await runTenantry(words, {
    env,
    folder,
    write(text) {
      result.output += text
      onOutput?.(text)
    },
    warn(text) {
      result.errors += text
    },
    screen,
    untilInterrupted: () => interrupted ?? new AbortController().signal,
    readSecret: async () => null,
    async *openInput() {
      yield Buffer.from(input)
    },
  })
  return { exitCode, ...result }
}
