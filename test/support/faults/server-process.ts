import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reasonOf } from './refusal-reasons.ts'

/** `node server/start.js` in a separate process, as an operator runs it. */
export interface ServerProcess {
  readonly baseUrl: string
  readonly process: ChildProcess
  /** The time from process start to the first 200 of `GET /readyz`, in milliseconds. */
  readonly readyMs: number
  /** The log so far. */
  output(): string
  /** Sends the signal and waits for the exit: the exit code, or null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Options of a server besides its folder. */
interface ServerSecrets {
  readonly adminKey: string
  readonly masterKeys: string
}

/** The database of a server started in `folder`. */
export const databaseIn = (folder: string): string => join(folder, 'tenantry.db')

/**
 * The process of a server on the data in `folder`: staging, a free port, no drain and no limits unless set.
 * @param log where its standard output goes, such as a file descriptor
 */
export const spawnServer = (
  folder: string,
  { adminKey, masterKeys }: ServerSecrets,
  settings: Readonly<Record<string, string>>,
  log: 'pipe' | number = 'pipe',
  errors: 'pipe' | 'inherit' = 'inherit',
): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, '../../../server/start.js')], {
    cwd: folder,
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      TENANTRY_ENVIRONMENT: 'staging',
      TENANTRY_DRAIN_SECONDS: '0',
      DATABASE_URL: `sqlite:${databaseIn(folder)}`,
      TENANTRY_ADMIN_KEY: adminKey,
      TENANTRY_MASTER_KEYS: masterKeys,
      TENANTRY_LIMITS: 'all=off',
      ...settings,
    },
    stdio: ['ignore', log, errors],
  })

/** Starts such a server. Resolves when it is ready. */
export async function startServer(
  folder: string,
  secrets: ServerSecrets,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const begun = performance.now()
  const child = spawnServer(folder, secrets, settings)
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  // Its output is complete then.
  const ended = once(child, 'close') as Promise<[number | null]>
  const baseUrl = await Promise.race([
    addressOf(child, () => output),
    ended.then(([code]) => Promise.reject(new Error(`server exited with ${code} before it listened`))),
  ])
  const ready = await fetch(`${baseUrl}/readyz`)
  if (!ready.ok) throw new Error(`GET /readyz: ${ready.status}`)
  return {
    baseUrl,
    process: child,
    readyMs: performance.now() - begun,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

/** The base URL from the log. */
async function addressOf({ stdout }: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const address = /Server listening at (http:\/\/[\d.:]+)/.exec(output())?.[1]
    if (address !== undefined) return address
    await once(stdout!, 'data')
  }
}

/** For the message of a failure: whether the server has ended by itself, and the last error in its log. */
export async function describeServer({ process: child, output }: ServerProcess): Promise<string> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  // Its connections close before its end is known.
  if (!hasEnded()) await Promise.race([once(child, 'exit'), setTimeout(1_000)])
  const state = hasEnded() ? `the server ended with ${child.signalCode ?? child.exitCode}` : 'the server is running'
  return [state, reasonOf(null, output())].filter(Boolean).join('; ')
}
