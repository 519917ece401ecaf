import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from './until.ts'

const root = join(import.meta.dirname, '../..')

/** A program of this repository in its own process. */
interface LocalProgram extends AsyncDisposable {
  readonly child: ChildProcess
  /** Everything it wrote, to both streams. */
  readonly output: () => string
  /** The exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** Where programs find code that another process of the run has compiled, which halves the time that they take to start. */
export const compiledCode = (): Record<string, string> => {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** Runs a file of this repository in a folder, with these settings and no others. Disposing stops it. */
export function runProgram(
  file: string,
  args: string[],
  folder: string,
  settings: Record<string, string>,
): LocalProgram {
  const env = { PATH: process.env['PATH'], ...compiledCode(), ...settings }
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    output: () => output,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A running server of its own process. */
export interface LocalServer extends LocalProgram {
  readonly baseUrl: string
}

/** Starts a server as `npm start` does and waits until it listens. Its data is in `./data` of the folder unless set. */
export async function startLocalServer(folder: string, settings: Record<string, string>): Promise<LocalServer> {
  const program = runProgram('server/start.js', [], folder, settings)
  let isOver = false
  void program.ended.then(() => {
    isOver = true
  })
  const listening = /(?:Server listening at|Tenantry is listening on) (http:\/\/[\d.:]+)/
  const isReady = () =>
    listening.test(program.output()) && (!/is listening/.test(program.output()) || /\n\n$/.test(program.output()))
  await until(() => isOver || isReady())
  const baseUrl = listening.exec(program.output())?.[1]
  if (baseUrl === undefined) throw new Error(program.output())
  return { ...program, baseUrl }
}
