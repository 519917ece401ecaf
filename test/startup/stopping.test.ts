import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { describeTally, stopOverAndOver } from '../campaign/stops/stop.ts'
import { type Outcome, send } from '../campaign/stops/stop-clients.ts'
import { stopSecrets } from '../campaign/stops/stop-requests.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { type ServerProcess, startServer } from '../support/faults/server-process.ts'
import { freePort } from '../support/free-port.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { until } from '../support/until.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenantry-stopping-'))
})
after(() => rm(home, { recursive: true, force: true }))

const liveness = { method: 'GET', path: '/healthz' }
const readiness = { method: 'GET', path: '/readyz' }
const metrics = { method: 'GET', path: '/metrics' }

const summary = (outcome: Outcome) =>
  outcome.kind === 'answered' ? `${outcome.status} ${outcome.headers.connection}` : JSON.stringify(outcome)

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer(await mkdtemp(join(home, 'server-')), stopSecrets, settings)
}

test('while draining, is not ready, answers requests and closes their connections; a second signal ends the drain', async () => {
  const [adminPort, metricsPort] = [await freePort(), await freePort()]
  const ports = { ADMIN_PORT: String(adminPort), METRICS_PORT: String(metricsPort) }
  const server = await start({ ...ports, TENANTRY_DRAIN_SECONDS: '300' })
  const [admin, open] = [adminPort, metricsPort].map((port) => `http://127.0.0.1:${port}`) as [string, string]
  await until(async () => (await send(open, new Agent(), metrics)).kind === 'answered')
  const agent = new Agent({ keepAlive: true })
  assert.equal(summary(await send(server.baseUrl, agent, liveness)), '200 keep-alive')
  const ended = server.end('SIGTERM')
  await until(async () => summary(await send(server.baseUrl, agent, readiness)) === '503 close')
  await pause(300)
  for (const baseUrl of [server.baseUrl, admin]) {
    assert.equal(summary(await send(baseUrl, agent, readiness)), '503 close')
    assert.equal(summary(await send(baseUrl, agent, liveness)), '200 close')
    assert.equal(summary(await send(baseUrl, agent, { method: 'GET', path: '/docs/none' })), '404 close')
  }
  assert.equal(summary(await send(open, agent, metrics)), '200 close')
  server.process.kill('SIGTERM')
  assert.equal(await ended, 0)
  for (const baseUrl of [server.baseUrl, admin, open]) {
    assert.deepEqual(await send(baseUrl, agent, liveness), { kind: 'refused' })
  }
})

test('a duplicate signal from npm does not end the drain', async () => {
  const server = await start({ TENANTRY_DRAIN_SECONDS: '1' })
  const begun = performance.now()
  const ended = server.end('SIGINT')
  server.process.kill('SIGINT')
  assert.equal(await ended, 0)
  assert.ok(performance.now() - begun > 900)
})

test('answers what reached a suspended process before SIGTERM, on new and kept-alive connections', async () => {
  const server = await start()
  const kept = new Agent({ keepAlive: true })
  const many = () => Array.from({ length: 20 })
  await Promise.all(many().map(() => send(server.baseUrl, kept, liveness)))
  server.process.kill('SIGSTOP')
  const sent = Promise.all([
    ...many().map(() => send(server.baseUrl, kept, liveness)),
    ...many().map(() => send(server.baseUrl, new Agent(), liveness)),
  ])
  await pause(80)
  const ended = server.end('SIGTERM')
  server.process.kill('SIGCONT')
  for (const outcome of await sent) assert.match(summary(outcome), /^200 /)
  assert.equal(await ended, 0)
})

testOnSqliteAlone('the server of a campaign keeps its data in a file')(
  'resets no request when stopped under load, with and without a drain',
  async (t) => {
    const stops = sampleSize(4, 1)
    const steps = recordSteps()
    const report = await stopOverAndOver(stops, 20260311, steps.watch)
    steps.assertEach(stops)
    t.diagnostic(`${describeTally(report)}; ended within ${report.slowestMs.toFixed(0)} ms`)
    assert.deepEqual(report.resets, [])
    // Every client got answers, however slow the machine is.
    assert.ok(report.answered >= 20 && report.slowestMs < 15_000)
  },
)

/** Starts a development server on a database and collects its output. */
function startDevelopment(path: string): { child: ChildProcess; output: () => string; ended: Promise<unknown[]> } {
  const env = { PORT: '0', DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/start.js')], { cwd: home, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return { child, output: () => output, ended: once(child, 'close') }
}

test('SIGTERM while the schema or the demo tenant is created exits with 0 and leaves nothing half done', async () => {
  const path = join(home, 'starting', 'tenantry.db')
  const starting = startDevelopment(path)
  await until(() => existsSync(path))
  starting.child.kill('SIGTERM')
  assert.deepEqual(await starting.ended, [0, null], starting.output())

  const listening = startDevelopment(path)
  await until(() => listening.output().includes('Server listening'))
  listening.child.kill('SIGTERM')
  assert.deepEqual(await listening.ended, [0, null], listening.output())

  const next = startDevelopment(path)
  await until(() => next.output().includes('Try it'))
  next.child.kill('SIGTERM')
  assert.deepEqual(await next.ended, [0, null], next.output())
})
