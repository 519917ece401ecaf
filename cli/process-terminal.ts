import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'

function openInput(): NodeJS.ReadStream {
  if (process.stdin.isTTY) process.stderr.write('Reading standard input; end it with Enter and Ctrl-D.\n')
  return process.stdin
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // `tenantry tenant list | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    env: process.env,
    folder: process.cwd(),
    write: (output) => void process.stdout.write(output),
    warn: (output) => void process.stderr.write(output),
    screen: process.stderr.isTTY ? process.stderr : null,
    untilInterrupted() {
      const controller = new AbortController()
      process.once('SIGINT', () => controller.abort())
      return controller.signal
    },
    readInput: () => text(openInput()),
    openInput,
  }
}
