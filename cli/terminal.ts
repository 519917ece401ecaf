/** The world of one command: what it reads and where it writes. Tests bring their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here. */
  readonly folder: string
  /** What was asked for, on standard output. */
  write(text: string): void
  /** Everything said besides, on standard error. */
  warn(text: string): void
  /** All of standard input. */
  readInput(): Promise<string>
  /** Standard input as it comes, however long it is. */
  openInput(): AsyncIterable<Uint8Array>
}

/** It cannot go on, in words for the one who typed the command: no stack, exit code 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}
