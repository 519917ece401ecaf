import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'

function openInput(): NodeJS.ReadStream {
  if (process.stdin.isTTY) process.stderr.write('Reading standard input: end with Enter and Ctrl-D.\n')
  return process.stdin
}

/** The process's own terminal. */
export function processTerminal(): Terminal {
  // `tenantry tenant list | head` closes the pipe early: that is nobody's mistake.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    env: process.env,
    folder: process.cwd(),
    write: (output) => void process.stdout.write(output),
    warn: (output) => void process.stderr.write(output),
    readInput: () => text(openInput()),
    openInput,
  }
}
