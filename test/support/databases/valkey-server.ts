import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ValkeyAddress } from '../../../server/limits/valkey-url.ts'
import { firstGivenPort, freePort } from '../free-port.ts'
import type { Authority, Certificate } from '../peers/certificate.ts'

/** A Valkey (or Redis) server of a test. */
export interface ValkeyServer extends AsyncDisposable {
  readonly address: ValkeyAddress
  /** A client of the test. */
  readonly client: Redis
  /** Kills it; its data is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Suspends it: connections stay open, and nothing is answered. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

const program = ['valkey-server', 'redis-server']
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Why tests that need a server are skipped; false where they are not. */
export const noValkey = program === undefined && 'neither valkey-server nor redis-server is installed'

/** Authentication and certificates of a server; with a certificate it accepts TLS only. */
interface ValkeyServerOptions {
  readonly password?: string
  readonly certificate?: Certificate
  /** Clients must present a certificate of this authority. */
  readonly clientAuthority?: Authority
  /** A mode that the service refuses; standalone unless given. */
  readonly mode?: 'cluster' | 'sentinel'
}

/** Starts a server on a free port of the loopback, without persistence. */
export async function startValkey(options: ValkeyServerOptions = {}): Promise<ValkeyServer> {
  const { password, certificate, clientAuthority, mode } = options
  // A cluster also listens 10,000 above its port.
  const port = await freePort(mode === 'cluster' ? firstGivenPort - 10_000 : firstGivenPort)
  const address = {
    host: '127.0.0.1',
    port,
    db: 0,
    tls: certificate ? {} : false,
    ...(password && { password }),
  } as const
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-valkey-'))
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const tlsSettings = certificate && {
    'tls-port': port,
    'tls-cert-file': await write('server.crt', certificate.cert),
    'tls-key-file': await write('server.key', certificate.key),
    'tls-auth-clients': clientAuthority ? 'yes' : 'no',
    ...(clientAuthority && { 'tls-ca-cert-file': await write('clients.crt', clientAuthority.cert) }),
  }
  let child: ChildProcess | null = null
  const client = new Redis({
    ...{ host: address.host, port, ...(password && { password }), lazyConnect: true, retryStrategy: () => 10 },
    ...(certificate && { tls: { rejectUnauthorized: false, ...clientAuthority?.issue('the test') } }),
  })
  client.on('error', () => {})

  async function start(): Promise<void> {
    const settings = {
      port: certificate ? 0 : port,
      ...tlsSettings,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      dir: folder,
      ...(password && { requirepass: password }),
      ...(mode === 'cluster' && { 'cluster-enabled': 'yes' }),
    }
    const pairs = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const sentinel = () => write('sentinel.conf', `port ${port}\nbind 127.0.0.1\ndir ${folder}\n`)
    const flags = mode === 'sentinel' ? [await sentinel(), '--sentinel'] : pairs
    child = spawn(program!, flags, { stdio: 'ignore' })
    for (;;) {
      const answer = await client.ping().catch(() => null)
      if (answer === 'PONG') return
      if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`)
      await pause(10)
    }
  }

  async function kill(): Promise<void> {
    const ended = once(child!, 'exit')
    child!.kill('SIGKILL')
    await ended
  }

  async function close(): Promise<void> {
    client.disconnect()
    if (child!.exitCode === null && child!.signalCode === null) await kill()
    await rm(folder, { recursive: true, force: true })
  }

  await start()
  return {
    ...{ address, client, kill, start, close, [Symbol.asyncDispose]: close },
    freeze: () => void child!.kill('SIGSTOP'),
    thaw: () => void child!.kill('SIGCONT'),
  }
}
