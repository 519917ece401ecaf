import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const onLinux = process.platform === 'linux' ? {} : { skip: 'reads the limit of open files on Linux only' }

/** A server that may open 800 files, its port and its log. */
async function startLimited(t: TestContext, settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-open-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const start = join(import.meta.dirname, '../../server/start.js')
  const port = await freePort()
  const own = { PORT: String(port), TENANTRY_ADMIN_KEY: 'k'.repeat(32) }
  const server = spawn('sh', ['-c', `ulimit -n 800; exec "${process.execPath}" "${start}"`], {
    cwd: folder,
    env: { ...own, HOST: '127.0.0.1', TENANTRY_ENVIRONMENT: 'staging', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    server.kill('SIGKILL')
    await once(server, 'close')
  })
  let log = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  await until(() => log.includes(`listening at http://127.0.0.1:${port}`))
  return { port, log: () => log }
}

/** More connections than the process may have, from when the server has closed one. */
async function openTooMany(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: 850 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.race(sockets.map((socket) => once(socket, 'close')))
  return sockets
}

test('leaves files to the server when clients open more connections than the process may have', onLinux, async (t) => {
  const { port, log } = await startLimited(t)
  const first = connect(port, '127.0.0.1')
  let answers = ''
  first.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => answers.includes('200 OK'))
  const others = await openTooMany(port)

  // Its files are read at once from the disk.
  answers = ''
  first.write('GET /console/ HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => answers.includes('\r\n\r\n'))
  assert.match(answers, /^HTTP\/1\.1 200 /)
  await until(() => log().includes('too many open connections; new ones are closed'))

  for (const socket of [...others, first]) socket.destroy()
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
  assert.equal(status, 200)
})

test('leaves files to clients when the ports for operators get too many connections', onLinux, async (t) => {
  const ports = { ADMIN_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }
  const { port, log } = await startLimited(t, ports)
  for (const [listener, of] of Object.entries(ports)) {
    const sockets = await openTooMany(Number(of))
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })
    assert.equal(status, 200, listener)
    await until(() => log().includes(`"listener":"${listener}"`))
    for (const socket of sockets) socket.destroy()
  }
})
