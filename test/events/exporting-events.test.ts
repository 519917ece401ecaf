import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { EventLine } from '../../contract/admin/events.ts'
import { readExport } from '../../server/events/verify/read-export.ts'
import { verifyLog } from '../../server/events/verify/verify-log.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { sealEvents } from '../support/events/sealed-events.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const headers = () => ({ authorization: `Bearer ${service.adminKey}` })
const read = async (path: string) =>
  (await request(service, `GET ${path}`, { headers: headers() })).text.split('\n').slice(0, -1)

/** A tenant with this many events of a test in batches of two, after those of its creation. */
async function tenantWith(events: number) {
  const { tenantId } = await service.addTenant()
  await service.service.services.events.drain()
  const before = (await service.admin.listCheckpoints({ tenantId })).items.length
  const sealed = await sealEvents(service, tenantId, Array(events).fill({}), 2)
  const log = `/admin/tenants/${tenantId}/events`
  return { tenantId, log, before, sealed }
}

/** What a verifier finds who has the lines and the public keys, and nothing else. */
async function verify(lines: readonly string[]) {
  const { body } = await request(service, 'GET /admin/checkpoint-keys', { headers: headers() })
  const jwks: readonly { readonly kid: string }[] = body.keys
  const keys = new Map(jwks.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]))
  const source = await readExport(
    (async function* () {
      yield* lines
    })(),
  )
  return verifyLog(source, { tenantId: source.range().tenantId!, publicKey: (kid) => keys.get(kid), from: null })
}

const parsed = (lines: readonly string[]): EventLine[] => lines.map((line) => JSON.parse(line))
const batchesOf = (lines: readonly EventLine[]) => lines.flatMap((line) => ('batch' in line ? line.batch.batch : []))

test('exports the sealed log, oldest first, so that it can be verified without the service', async () => {
  const { tenantId, log, sealed } = await tenantWith(5)
  const lines = await read(`${log}/export`)
  const { faults, verified, head } = await verify(lines)
  assert.deepEqual(faults, [])
  const events = parsed(lines).filter((line) => 'id' in line)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: events.length }, (_, index) => index + 1),
  )
  assert.deepEqual(
    events.slice(-5).map(({ id }) => id),
    sealed.map(({ id }) => id),
  )
  const { items } = await service.admin.listCheckpoints({ tenantId })
  assert.deepEqual([verified.events, verified.batches], [events.length, items.length])
  const last = items[0]!
  assert.deepEqual(JSON.parse(lines.at(-1)!).done, {
    events: events.length,
    batches: items.length,
    head: { batch: last.batch, sequence: events.length, hash: last.hash },
  })
  assert.equal(head?.hash, last.hash)
  const { rowHashes, ...checkpoint } = JSON.parse(lines.at(-2)!).batch
  assert.deepEqual([checkpoint, rowHashes], [last, null])
})

test('an export is recorded before its first line, with the range', async () => {
  const { tenantId, log } = await tenantWith(1)
  const since = '2026-01-01T00:00:00.000Z'
  const head = parsed(await read(`${log}/export?since=${since}&format=ndjson`)).at(-1)!
  await service.service.services.events.drain()
  const { items } = await service.admin.listEvents({ tenantId }, { type: 'events.exported' })
  assert.deepEqual(
    items.map(({ actor, subject, details }) => [actor, subject, details]),
    [[{ kind: 'operator', id: 'root' }, { kind: 'tenant', id: tenantId }, { since }]],
  )
  assert.ok('done' in head && items[0]!.sequence > head.done.head!.sequence)
  await read('/admin/events/export')
  await service.service.services.events.drain()
  const own = await service.admin.listDeploymentEvents({ type: 'events.exported' })
  assert.deepEqual(own.items[0]?.subject, { kind: 'tenant', id: null })
})

test('since and until select whole batches by the time of sealing', async () => {
  const { tenantId, log, before, sealed } = await tenantWith(6)
  const checkpoints = (await service.admin.listCheckpoints({ tenantId })).items.toReversed().slice(before)
  const [first, second, third] = checkpoints.map(({ batch }) => batch)
  const at = (index: number) => checkpoints[index]!.sealedAt
  const later = new Date(Date.parse(at(2)) + 1).toISOString()
  const cases: [string, (number | undefined)[]][] = [
    [`since=${at(0)}`, [first, second, third]],
    [`since=${at(1)}`, [second, third]],
    [`since=${at(0)}&until=${at(2)}`, [first, second]],
    [`since=${at(1)}&until=${at(1)}`, []],
    [`since=${at(1)}&until=${at(2)}`, [second]],
    [`since=${later}`, []],
    [`since=${at(2)}&until=${later}`, [third]],
  ]
  for (const [query, batches] of cases) {
    const lines = await read(`${log}/export?${query}`)
    assert.deepEqual(batchesOf(parsed(lines)), batches, query)
    // An export of nothing tells no log.
    if (batches.length > 0) assert.deepEqual((await verify(lines)).faults, [], query)
  }
  const some = parsed(await read(`${log}/export?since=${at(1)}&until=${at(2)}`))
  assert.deepEqual(
    some.flatMap((line) => ('id' in line ? line.id : [])),
    sealed.slice(2, 4).map(({ id }) => id),
  )
})

test('exports of adjoining times miss no batch, although a later batch was sealed at an earlier time', async () => {
  const { tenantId, log } = await tenantWith(6)
  const { items } = await service.admin.listCheckpoints({ tenantId })
  const numbers = items.map(({ batch }) => batch).reverse()
  const times = [50, 20, 200].map((ms) => Date.parse('2027-01-01') + ms)
  for (const [index, time] of times.entries()) {
    const sql = 'UPDATE event_batches SET sealed_at = ? WHERE tenant_id = ? AND batch = ?'
    await writeStored(service, sql, time, tenantId, numbers.at(index - 3)!)
  }
  const batches = async (query: string) => batchesOf(parsed(await read(`${log}/export?${query}`)))
  for (const ms of [10, 20, 21, 50, 51, 100, 200, 201]) {
    const time = new Date(Date.parse('2027-01-01') + ms).toISOString()
    const exported = [...(await batches(`until=${time}`)), ...(await batches(`since=${time}`))]
    assert.deepEqual([...new Set(exported)], numbers, time)
  }
})

test('without since or until an export has the first or the last batch, whatever their times', async () => {
  const { tenantId, log } = await tenantWith(4)
  const { items } = await service.admin.listCheckpoints({ tenantId })
  const numbers = items.map(({ batch }) => batch).reverse()
  const at = (ms: number) => new Date(Date.parse('2027-01-01') + ms)
  const sql = 'UPDATE event_batches SET sealed_at = ? WHERE tenant_id = ? AND batch = ?'
  for (const [index, ms] of [50, 200, ...numbers.slice(2).map(() => 20)].entries()) {
    await writeStored(service, sql, at(ms).getTime(), tenantId, numbers[index]!)
  }
  const batches = async (query: string) => batchesOf(parsed(await read(`${log}/export?${query}`)))
  assert.deepEqual(await batches(`since=${at(100).toISOString()}`), numbers.slice(1))
  await writeStored(service, sql, at(300).getTime(), tenantId, numbers[0]!)
  assert.deepEqual(await batches(`until=${at(100).toISOString()}`), numbers)
})

test('batches that are sealed during an export are not part of it', async () => {
  const { tenantId } = await tenantWith(4)
  const lines: EventLine[] = []
  for await (const line of service.admin.exportEvents({ tenantId })) {
    if (lines.length === 0) await sealEvents(service, tenantId, [{}, {}], 1)
    lines.push(line)
  }
  const done = lines.at(-1)!
  assert.ok('done' in done)
  assert.equal(batchesOf(lines).at(-1), done.done.head?.batch)
})

test('an erased person is exported without the personal part, and the export verifies', async () => {
  const { tenantId, log } = await tenantWith(2)
  await writeStored(service, 'UPDATE events SET personal = NULL WHERE tenant_id = ?', tenantId)
  const lines = await read(`${log}/export`)
  assert.ok(parsed(lines).every((line) => !('personal' in line) || line.personal === null))
  assert.deepEqual((await verify(lines)).faults, [])
})

test('exports the log of the deployment', async () => {
  const lines = await read('/admin/events/export')
  const { faults, verified } = await verify(lines)
  assert.deepEqual(faults, [])
  assert.ok(verified.events > 0)
  const [batch] = parsed(lines).flatMap((line) => ('batch' in line ? line.batch : []))
  assert.equal(batch?.tenantId, null)
})

test('refuses invalid ranges, other formats and unknown tenants before it records anything', async () => {
  const { tenantId, log } = await tenantWith(0)
  const rule = 'Validation rule not met'
  for (const [query, validation] of [
    ['since=now', { since: rule }],
    ['until=', { until: 'Empty parameter; send a value or leave it out' }],
    ['format=csv', { format: 'Invalid enum value' }],
    ['type=session.*', { type: 'Unknown parameter' }],
  ] as const) {
    const { status, body } = await request(service, `GET ${log}/export?${query}`, { headers: headers() })
    assert.deepEqual([status, body.error.validation], [400, validation], query)
  }
  await service.service.services.events.drain()
  const { items } = await service.admin.listEvents({ tenantId }, { type: 'events.exported' })
  assert.deepEqual(items, [])
  const unknown = await request(service, `GET /admin/tenants/unknown/events/export`, { headers: headers() })
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'TENANT_NOT_FOUND'])
})
