import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Certificate } from '../server/delivery/senders/test-peers/certificate.ts'
import type { ValkeyAddress } from '../server/limits/valkey-url.ts'
import { freePort } from './free-port.ts'

/** A Valkey (or Redis) server of the test's own. */
export interface ValkeyServer extends AsyncDisposable {
  readonly address: ValkeyAddress
  /** A client of the test's own. */
  readonly client: Redis
  /** Ends it at once; what it held is lost. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** It stays connected and answers nothing. */
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

/** Why tests that need a server are skipped here; false where they are not. */
export const noValkey = program === undefined && 'neither valkey-server nor redis-server is installed'

/** What a server asks of clients and shows them; with a certificate it speaks TLS alone. */
export interface ValkeyServerOptions {
  readonly password?: string
  readonly certificate?: Certificate
}

/** Starts one on a free port of the loopback, keeping nothing on disk. */
export async function startValkey({ password, certificate }: ValkeyServerOptions = {}): Promise<ValkeyServer> {
  const port = await freePort()
  const tls = certificate !== undefined
  const address = { host: '127.0.0.1', port, db: 0, tls, ...(password && { password }) }
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-valkey-'))
  const [certificateFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  if (tls) await Promise.all([writeFile(certificateFile, certificate.cert), writeFile(keyFile, certificate.key)])
  let child: ChildProcess | null = null
  const client = new Redis({
    ...{ host: address.host, port, ...(password && { password }), lazyConnect: true },
    ...(tls && { tls: { rejectUnauthorized: false } }),
  })
  client.on('error', () => {})

  async function start(): Promise<void> {
    const settings = {
      port: tls ? 0 : port,
      ...(tls && {
        'tls-port': port,
        'tls-cert-file': certificateFile,
        'tls-key-file': keyFile,
        'tls-auth-clients': 'no',
      }),
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      dir: folder,
      ...(password && { requirepass: password }),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    child = spawn(program!, flags, { stdio: 'ignore' })
    for (;;) {
      const answer = await client.ping().catch(() => null)
      if (answer === 'PONG') return
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
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
