import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { operations } from '../../contract/operations.ts'
import { metricsType } from '../../contract/system.ts'
import { freePort } from '../support/free-port.ts'
import { startTestService } from '../support/service.ts'

test('serves only the metrics on the open port, and closes it with the service', async () => {
  const other = await startTestService()
  const open = await other.service.openMetrics.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${open}/metrics`)
  assert.equal(answer.headers.get('content-type'), metricsType)
  assert.match(await answer.text(), /^# HELP tenantry_/)
  assert.equal((await fetch(`${open}/metrics?name[]=x`, { method: 'HEAD' })).status, 200)
  for (const { method, path } of Object.values(operations)) {
    if (path !== '/metrics') assert.equal((await fetch(open + path, { method })).status, 404, path)
  }
  assert.equal((await fetch(`${open}/metrics`, { method: 'POST', body: 'x' })).status, 404)
  assert.equal((await fetch(`${open}/docs`)).status, 404)
  // An unfinished request of a scraper does not delay shutdown by its timeout of five seconds.
  const socket = connect(Number(new URL(open).port), '127.0.0.1')
  socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\n')
  await fetch(`${open}/metrics`)
  const begun = performance.now()
  await other.close()
  assert.ok(performance.now() - begun < 4_000)
  await assert.rejects(fetch(`${open}/metrics`))
})

test('opens the port with METRICS_PORT', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-metrics-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...{ PATH: process.env['PATH'], PORT: String(port), METRICS_PORT: String(metricsPort), HOST: '127.0.0.1' },
    ...{ DATABASE_URL: `sqlite:${join(folder, 'tenantry.db')}`, TENANTRY_ENVIRONMENT: 'staging' },
    TENANTRY_DRAIN_SECONDS: '0',
    ...{ TENANTRY_ADMIN_KEY: 'an-admin-key-of-at-least-32-characters', LOG_LEVEL: 'info' },
  }
  const main = fileURLToPath(new URL('../../server/start.js', import.meta.url))
  const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text
    if (log.includes('metrics listening without a key')) break
  }
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  assert.match(await answer.text(), /^tenantry_build_info\{.*engine="sqlite"\} 1$/m)
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 401)
  child.stdout.resume()
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  await rm(folder, { recursive: true })
})
