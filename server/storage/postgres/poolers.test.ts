import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { until } from '../../../test/support/until.ts'
import { openPostgresStorage } from './postgres-storage.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.close())

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync)
const skip = program === undefined && 'pgbouncer is not installed'

/** Starts PgBouncer in front of the test's server. */
async function startPgBouncer(url: string, poolMode: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-pgbouncer-'))
  const { hostname, port: serverPort, username, password } = new URL(url)
  const port = await freePort()
  const settings = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: poolMode },
    ...{ default_pool_size: 20, ignore_startup_parameters: 'extra_float_digits' },
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const server = `* = host=${hostname} port=${serverPort} user=${username} password=${password}`
  const path = join(folder, 'pgbouncer.ini')
  writeFileSync(path, `[databases]\n${server}\n[pgbouncer]\n${lines.join('\n')}\n`)
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const ids = isRoot && {
    uid: Number(execFileSync('id', ['-u', 'nobody'])),
    gid: Number(execFileSync('id', ['-g', 'nobody'])),
  }
  const child: ChildProcess = spawn(program!, [path], { stdio: 'ignore', ...ids })
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      }),
  )
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

for (const mode of ['transaction', 'statement']) {
  test(`PgBouncer in ${mode} mode is refused at startup`, { skip }, async () => {
    await using pooler = await startPgBouncer(await server.createDatabase(), mode)
    await assert.rejects(openPostgresStorage({ url: pooler.url }), {
      name: 'TransactionPooling',
      message: /^DATABASE_URL points to a pooler in transaction or statement mode, .*; use session mode/,
    })
  })
}

test('PgBouncer in session mode works', { skip }, async () => {
  await using pooler = await startPgBouncer(await server.createDatabase(), 'session')
  const storage = await openPostgresStorage({ url: pooler.url })
  await storage.ping()
  await storage.close()
})

test('a Unix socket works', async (t) => {
  const url = new URL(await server.createDatabase())
  const folder = '/tmp'
  if (!existsSync(join(folder, `.s.PGSQL.${url.port}`))) return t.skip('the server has no socket in /tmp')
  const { username, password, pathname, port } = url
  const storage = await openPostgresStorage({
    url: `postgres://${username}:${password}@${pathname}?host=${folder}&port=${port}`,
  })
  await storage.ping()
  await storage.close()
})
