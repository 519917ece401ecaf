/** The inputs and outputs of a command. Tests provide their own. */
export interface Terminal {
  readonly env: Record<string, string | undefined>
  /** The base of relative paths. */
  readonly folder: string
  /** Writes results to standard output. */
  write(text: string): void
  /** Writes errors and notes to standard error. */
  warn(text: string): void
  /** Standard error as a terminal for progress bars; null if it is a file or a pipe. */
  readonly screen: NodeJS.WritableStream | null
  /** Aborts on Ctrl-C and SIGTERM, which end the process by default until this is called. */
  untilInterrupted(): AbortSignal
  /** Reads a secret after a prompt, without echo; null if standard input is not a terminal. */
  readSecret(prompt: string): Promise<string | null>
  /** Streams standard input. */
  openInput(): AsyncIterable<Uint8Array>
}

/** An expected failure: its message is printed without a stack trace, and the exit code is 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}
