import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The command of `npm start` in a checkout. */
export function startArgumentsIn(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const words: string[] = scripts.start.split(' ')
  return words.slice(words.indexOf('node') + 1)
}

/** The folder of this checkout. */
export const checkout: string = join(import.meta.dirname, '..')

/** The command of `npm start` in this checkout. */
export const startArguments: string[] = startArgumentsIn(checkout)

/** Where the servers of a bench in a test log, which says why an answer is wrong. Otherwise, logs are not kept. */
const logFile = process.env['TENANTRY_TEST_BENCH_LOG']

/** A server under measurement, in a separate process. */
export interface Child {
  readonly port: number
  /** Milliseconds from spawning the process to its first response. */
  readonly startMs: number
  /** Resident memory, in MiB. */
  residentMiB(): number
  /** Processor time of all threads so far, in milliseconds. */
  processorMs(): number
  stop(): Promise<void>
}

/** Starts `node <script> …args` in the folder of a checkout and waits until it responds at `path`. */
export async function startChild(
  port: number,
  args: string[],
  env: Record<string, string | undefined>,
  path: string,
  cwd = checkout,
): Promise<Child> {
  const start = performance.now()
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...withoutTestSettings(process.env), TENANTRY_DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', logFile === undefined ? 'ignore' : openSync(logFile, 'a'), 'inherit'],
  })
  // A bench that fails leaves no server behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  await untilAnswers(child, `http://127.0.0.1:${port}${path}`)
  const startMs = performance.now() - start
  return {
    port,
    startMs,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    processorMs: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      // User and system time, in hundredths of a second.
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        // It may have been stopped, or have crashed.
        if (hasEnded(child) || !child.kill('SIGTERM')) resolve()
      }),
  }
}

/** The server rejects settings that only tests know. */
const withoutTestSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TENANTRY_TEST_')))

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function untilAnswers(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (hasEnded(child)) throw new Error(`${child.spawnargs.join(' ')} ended before it responded`)
    const answer = await fetch(url).catch(() => null)
    if (answer !== null) return void (await answer.arrayBuffer())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
