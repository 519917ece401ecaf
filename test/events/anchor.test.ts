import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type } from '../../cli/terminal/terminal.testkit.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { startTestService } from '../support/service.ts'

test('anchors heads in a file, every hour and at shutdown, and the log is compared with them (threat L04)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-anchor-'))
  const path = join(folder, 'heads')
  const service = await startTestService({ eventsAnchor: pathToFileURL(path).href })
  try {
    const { tenantId } = await service.addTenant()
    await service.service.services.events.drain()
    await service.service.services.housekeeping.run()
    await service.service.services.housekeeping.run()
    assert.equal((await readFile(path, 'utf8')).split('\n').length, 2)
    const env = { TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: service.adminKey }
    const verify = () => type(['events', 'verify', '--tenant', tenantId, '--anchors', 'heads'], { folder, env })
    const same = await verify()
    assert.deepEqual([same.exitCode, same.errors], [0, ''])
    assert.match(same.output, /^Compared with 1 anchor\(s\)$/m)
    await writeStored(service, 'DELETE FROM event_batches WHERE tenant_id = ?', tenantId)
    await writeStored(service, 'DELETE FROM events WHERE tenant_id = ?', tenantId)
    await writeStored(service, 'DELETE FROM event_heads WHERE tenant_id = ?', tenantId)
    const dropped = await verify()
    assert.equal(dropped.exitCode, 1)
    assert.match(dropped.errors, /1 fault\(s\)\. First: batch \d+: gap: the batch of the anchor of .* is missing/)
  } finally {
    await service.close()
    assert.equal((await readFile(path, 'utf8')).split('\n').length, 3)
    await rm(folder, { recursive: true })
  }
})

test('fails to verify a log of which the file of anchors has none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-anchor-'))
  t.after(() => rm(folder, { recursive: true }))
  await using service = await startTestService({ eventsAnchor: pathToFileURL(join(folder, 'heads')).href })
  await service.addTenant()
  await service.service.services.events.drain()
  await service.service.services.housekeeping.run()
  const { tenantId } = await service.addTenant()
  await service.service.services.events.drain()
  await writeFile(join(folder, 'empty'), '')
  const env = { TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  for (const file of ['heads', 'empty']) {
    const verify = ['events', 'verify', '--tenant', tenantId, '--anchors', file]
    const { exitCode, output, errors } = await type(verify, { folder, env })
    assert.equal(exitCode, 1)
    assert.match(output, /^Compared with 0 anchor\(s\)$/m)
    assert.match(errors, new RegExp(`^${file} has no anchor of this log, so the log was not compared\\. Check that`))
  }
  const asJson = await type(['events', 'verify', '--deployment', '--anchors', 'heads', '--json'], { folder, env })
  assert.equal(asJson.exitCode, 0)
  assert.deepEqual(JSON.parse(asJson.output).known, { anchors: 1 })
})

test('begins a new line after one that broke off, which a verification skips', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-anchor-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'heads')
  await using service = await startTestService({ eventsAnchor: pathToFileURL(path).href })
  await service.addTenant()
  await service.service.services.events.drain()
  const env = { TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  for (const broken of ['{"', '{"webhook-id":"01M8', '{"webhook-id":"01M8","webhook-timestamp":"17957']) {
    await writeFile(path, broken)
    await service.service.services.housekeeping.run()
    service.clock.advance(3_600_000)
    const verify = ['events', 'verify', '--deployment', '--anchors', 'heads']
    const { exitCode, output, errors } = await type(verify, { folder, env })
    assert.deepEqual([exitCode, errors], [0, ''], broken)
    assert.match(output, /^Compared with 1 anchor\(s\)$/m)
  }
})

test('refuses a pipe, which would stop housekeeping while no process reads it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-anchor-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  await using service = await startTestService({ eventsAnchor: pathToFileURL(path).href })
  await service.addTenant()
  await service.service.services.events.drain()
  await service.service.services.housekeeping.run()
  assert.ok(service.log.some((line) => line.includes('events_anchor') && line.includes('does not name a file')))
})

test('posts heads as a Standard Webhook', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-anchor-'))
  const received: { body: string; headers: Record<string, unknown> }[] = []
  let status = 503
  const receiver = createServer(async (request, response) => {
    received.push({ body: await text(request), headers: request.headers })
    response.writeHead(status).end()
  })
  const port = await listenOnLoopback(receiver)
  const service = await startTestService({
    eventsAnchor: `http://127.0.0.1:${port}/secret-path`,
  })
  try {
    const { tenantId } = await service.addTenant()
    await service.service.services.events.drain()
    await service.service.services.housekeeping.run()
    status = 204
    await service.service.services.housekeeping.run()
    assert.equal(received.length, 2)
    assert.ok(service.log.some((line) => line.includes('events_anchor') && line.includes('answered 503')))
    assert.ok(!service.log.some((line) => line.includes('secret-path')))
    const { body, headers } = received[1]!
    const line = Object.fromEntries(
      ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, headers[`webhook-${name}`]]),
    )
    await writeFile(join(folder, 'heads'), `${JSON.stringify({ ...line, body })}\n`)
    const env = { TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: service.adminKey }
    const verified = await type(['events', 'verify', '--tenant', tenantId, '--anchors', 'heads'], { folder, env })
    assert.deepEqual([verified.exitCode, verified.errors], [0, ''])
  } finally {
    await service.close()
    receiver.close()
    await rm(folder, { recursive: true })
  }
})
