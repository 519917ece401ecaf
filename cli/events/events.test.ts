import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeStored } from '../../test/support/databases/stored-rows.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenantry-events-'))
let service: TestService
let tenantId: string
before(async () => {
  service = await startTestService()
  tenantId = (await service.addTenant()).tenantId
  await service.service.services.events.drain()
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const events = (...words: string[]) =>
  type(['events', ...words], {
    folder,
    env: { TENANTRY_URL: service.adminUrl, TENANTRY_ADMIN_KEY: service.adminKey },
  })

test('lists the events of a tenant and of the deployment', async () => {
  const { output, exitCode } = await events('list', '--tenant', tenantId, '--type', 'tenant_key.*', '--limit', '1')
  assert.equal(exitCode, 0)
  assert.match(
    output,
    /^AT +TYPE +ACTOR +SUBJECT +OUTCOME +CHANGED +NETWORK\n\S+ +tenant_key\.created +operator root +tenantKey \w+ +done/,
  )
  assert.equal(output.trimEnd().split('\n').length, 2)
  assert.match((await events('list')).output, /tenant\.created/)
  assert.match((await events('list', '--tenant', tenantId, '--actor', 'nobody')).output, /^No events found\.$/m)
  assert.equal((await events('list', '--tenant', tenantId, '--deployment')).exitCode, 2)
})

test('what export and checkpoints write is verified without the server', async () => {
  for (const log of [['--tenant', tenantId], ['--deployment']]) {
    const saved = await events('checkpoints', ...log, '--output', 'checkpoints')
    assert.deepEqual([saved.exitCode, saved.errors], [0, ''])
    assert.match(saved.output, /^Saved [1-9]\d* checkpoint\(s\) to checkpoints$/m)
    const counted = await events('checkpoints', ...log, '--output', 'checkpoints', '--json')
    assert.ok(JSON.parse(counted.output).checkpoints > 0)
    const exported = await events('export', ...log, '--output', 'export')
    assert.match(exported.output, /^Exported \d+ event\(s\) in \d+ batch\(es\) to export$/m)
    const verified = await type(
      ['events', 'verify', '--export', 'export', '--checkpoints', 'checkpoints', '--complete'],
      { folder },
    )
    assert.deepEqual([verified.exitCode, verified.errors], [0, ''])
  }
})

test('reads one file at most from standard input', async () => {
  const { errors, exitCode } = await events('verify', '--export', '-', '--checkpoints', '-')
  assert.match(errors, /^error: only one of the files can be standard input$/m)
  assert.equal(exitCode, 2)
})

test('verifies the log of the server', async () => {
  const verified = await events('verify', '--tenant', tenantId)
  assert.match(verified.output, /^Verified: \d+ event\(s\) in \d+ batch\(es\)\nHead: batch \d+, sealed /)
  assert.equal((await events('verify', '--deployment', '--from', '1')).exitCode, 0)
  for (const wrong of [['--complete'], ['--keys', 'x'], ['--checkpoints', 'x'], ['--from', '0']])
    assert.equal((await events('verify', ...wrong)).exitCode, 2)
  assert.equal((await events('verify', '--export', 'x', '--keys', 'x', '--tenant', tenantId)).exitCode, 2)
})

test('a changed database fails on the server and in an export', async () => {
  await writeStored(service, "UPDATE events SET request_id = 'other' WHERE sequence = 1 AND tenant_id = ?", tenantId)
  const { exitCode, errors } = await events('verify', '--tenant', tenantId)
  assert.equal(exitCode, 1)
  assert.match(
    errors,
    /^The log is not as it was sealed: 1 fault\(s\)\. First: batch 1: changed: one of the events 1 to /,
  )
  await events('checkpoints', '--tenant', tenantId, '--output', 'checkpoints')
  await events('export', '--tenant', tenantId, '--output', 'export')
  const offline = await type(['events', 'verify', '--export', 'export', '--checkpoints', 'checkpoints'], { folder })
  assert.deepEqual([offline.exitCode, offline.errors], [1, errors])
})
