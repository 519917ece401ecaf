import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal.ts'

function openInput(): NodeJS.ReadStream {
  if (process.stdin.isTTY) process.stderr.write('Reading standard input; end it with Enter and Ctrl-D.\n')
  return process.stdin
}

/** Reads a line from the terminal; the terminal echoes nothing. Ctrl-C and Ctrl-D cancel. */
function readWithoutEcho(prompt: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write(prompt)
  return new Promise((resolve) => {
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      process.stderr.write('\n')
      resolve('')
    })
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
  })
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // A note that no process reads fails nothing: without a listener, it would end an import halfway.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      process.stderr.write(`Failed to write to standard output: ${error.message}\n`)
      process.exit(1)
    }
    // `tenantry tenant list | head` closes the pipe early, which is not an error. A command that ends with its output has set
    // its exit code then. One that goes on, such as an export, is cut off.
    setImmediate(() => process.exit(process.exitCode ?? 1))
  })
  return {
    env: process.env,
    folder: process.cwd(),
    write: (output) => void process.stdout.write(output),
    warn: (output) => void process.stderr.write(output),
    screen: process.stderr.isTTY ? process.stderr : null,
    untilInterrupted() {
      const controller = new AbortController()
      const abort = (signal: NodeJS.Signals) => {
        // The next signal ends the process.
        for (const name of ['SIGINT', 'SIGTERM']) process.off(name, abort)
        controller.abort(signal)
      }
      // Supervisors and `timeout` send SIGTERM.
      for (const name of ['SIGINT', 'SIGTERM']) process.on(name, abort)
      return controller.signal
    },
    readSecret: async (prompt) => (process.stdin.isTTY ? readWithoutEcho(prompt) : null),
    openInput,
  }
}
