import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../support/until.ts'

const onLinux = process.platform === 'linux' ? {} : { skip: 'reads the limit of open files on Linux only' }

test('leaves files to the server when clients open more connections than the process may have', onLinux, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-open-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const start = join(import.meta.dirname, '../../server/start.js')
  const server = spawn('sh', ['-c', `ulimit -n 800; exec "${process.execPath}" "${start}"`], {
    cwd: folder,
    env: { PORT: '0', HOST: '127.0.0.1', TENANTRY_ENVIRONMENT: 'staging', TENANTRY_ADMIN_KEY: 'k'.repeat(32) },
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
  await until(() => /listening at/.test(log))
  const port = Number(/listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1])

  const first = connect(port, '127.0.0.1')
  let answers = ''
  first.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => answers.includes('200 OK'))
  const others = Array.from({ length: 850 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.race(others.map((socket) => once(socket, 'close')))

  // Its files are read at once from the disk.
  answers = ''
  first.write('GET /console/ HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => answers.includes('\r\n\r\n'))
  assert.match(answers, /^HTTP\/1\.1 200 /)
  await until(() => log.includes('too many open connections; new ones are closed'))

  for (const socket of [...others, first]) socket.destroy()
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
  assert.equal(status, 200)
})
