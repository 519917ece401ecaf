import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { readEvents } from '../../cli/event-stream.ts'
import { TenantryConnectionError } from '../../packages/client/src/admin.ts'
import { makeLax } from '../../server/events/verify/stored-tampering.testkit.ts'
import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { type EventReader, listen } from '../support/events/event-reader.ts'
import { sealEvents } from '../support/events/sealed-events.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService } from '../support/service.ts'

const damaged = { public: '{"changed":5}' }
const code = 'EVENT_LOG_DAMAGED'
const day = 86_400_000

/** A service with a tenant whose log ends at `start`. */
async function start(t: TestContext) {
  const service = await startTestService()
  const { tenantId } = await service.addTenant()
  await service.service.services.events.drain()
  const readers: EventReader[] = []
  t.after(async () => {
    for (const reader of readers) reader.leave()
    await service.close()
  })
  const headers = { authorization: `Bearer ${service.adminKey}` }
  const path = `/admin/tenants/${tenantId}/events/stream`
  const { sequence } = await service.service.services.storage.forTenant(tenantId).eventLog.head()
  async function follow(after: number): Promise<EventReader> {
    const reader = await listen(service.baseUrl + path, { ...headers, 'last-event-id': String(after) })
    readers.push(reader)
    return reader
  }
  /** How a stream after an event is refused. */
  async function refusal(after: number) {
    const { status, body } = await request(service, `GET ${path}?lastEventId=${after}`, { headers })
    return [status, body.error.code]
  }
  const set = (assignment: string, at: number) =>
    writeStored(service, `UPDATE events SET ${assignment} WHERE tenant_id = ? AND sequence = ?`, tenantId, at)
  return {
    ...{ service, tenantId, headers, url: new URL(path, service.baseUrl), follow, refusal, set, start: sequence },
    repair: (sequence: number) => set(`public = '{}'`, sequence),
    seal: (changes: object[], batchSize?: number) => sealEvents(service, tenantId, changes, batchSize),
  }
}

const sequences = (events: readonly { id: string }[]) => events.map(({ id }) => Number(id))
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const intact = (count: number) => Array<object>(count).fill({})

for (const count of [1, 7, 199, 200, 450]) {
  test(`sends the ${count} events before a damaged one, and continues with it once it is repaired`, async (t) => {
    const { seal, follow, refusal, repair, start: end } = await start(t)
    await seal([...intact(count), damaged, {}])
    const reader = await follow(end)
    await reader.ended
    assert.deepEqual(sequences(reader.left), range(end + 1, end + count))
    assert.deepEqual(await refusal(end + count), [500, code])
    await repair(end + count + 1)
    const again = await follow(end + count)
    assert.deepEqual(sequences(await again.take(2)), [end + count + 1, end + count + 2])
  })
}

test('a client that follows live gets the events that are sealed together with a damaged one', async (t) => {
  const { seal, follow, refusal, start: end } = await start(t)
  const reader = await follow(end)
  await seal(intact(3))
  await reader.take(3)
  await seal([...intact(5), damaged, {}])
  await reader.ended
  assert.deepEqual(sequences(reader.left), range(end + 4, end + 8))
  assert.deepEqual(await refusal(end + 8), [500, code])
})

test('a client that reads slowly gets each event before the damage once', async (t) => {
  const { seal, url, headers, start: end } = await start(t)
  const long = JSON.stringify({ details: { text: 'x'.repeat(2_000) } })
  await seal([...Array(400).fill({ public: long }), damaged])
  const seen = [end]
  while (seen.at(-1)! < end + 400) {
    const after = { ...headers, 'last-event-id': String(seen.at(-1)) }
    try {
      for await (const { id } of readEvents(url, { headers: after, signal: t.signal, onOpen: () => {} })) {
        seen.push(Number(id))
        for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
      }
    } catch (error) {
      // The service disconnects a client that takes more than a second to read the rest.
      if (!(error instanceof TenantryConnectionError)) throw error
    }
  }
  assert.deepEqual(seen, range(end, end + 400))
})

test('an event whose sequence was changed to one beyond the log hides none of those that are sealed later', async (t) => {
  const { seal, follow, set, start: end } = await start(t)
  const reader = await follow(end)
  await seal(intact(3))
  await reader.take(3)
  await set(`sequence = ${end + 1_000}`, end + 2)
  await seal(intact(2))
  assert.deepEqual(sequences(await reader.take(2)), [end + 4, end + 5])
  const again = await follow(end + 3)
  assert.deepEqual(sequences(await again.take(2)), [end + 4, end + 5])
  assert.deepEqual([...reader.left, ...again.left], [])
})

test('an event that is missing is not skipped, unless it was purged', async (t) => {
  const { service, tenantId, seal, follow, refusal, set, start: end } = await start(t)
  await seal(intact(6), 2)
  for (const [missing, seen] of [
    [1, []],
    [4, [1, 2, 3]],
  ] as const) {
    await set('sequence = -1', end + missing)
    const reader = await (seen.length > 0 ? follow(end) : null)
    await reader?.ended
    assert.deepEqual(
      sequences(reader?.left ?? []),
      seen.map((number) => end + number),
    )
    assert.deepEqual(await refusal(end + missing - 1), [500, code])
    await set(`sequence = ${end + missing}`, -1)
  }
  const whole = await follow(end)
  assert.deepEqual(sequences(await whole.take(6)), range(end + 1, end + 6))
  service.clock.advance(100 * day)
  await seal(intact(1))
  await service.service.services.housekeeping.run()
  const { eventLog } = service.service.services.storage.forTenant(tenantId)
  assert.equal((await eventLog.between(end, end + 7, 10)).length, 1)
  const afterPurge = await follow(end)
  assert.deepEqual(sequences(await afterPurge.take(1)), [end + 7])
})

const onSqlite = testOnSqliteAlone('PostgreSQL stores no value of another type')

onSqlite('events before one with a value of another type are sent', async (t) => {
  for (const assignment of [
    'batch = 9007199254740993',
    "at = 'yesterday'",
    "sequence = 'x'",
    'sequence = sequence + 0.5',
  ]) {
    await t.test(assignment, async (t) => {
      const { service, seal, follow, set, start: end } = await start(t)
      await seal(intact(5))
      {
        using database = new DatabaseSync(parseSqliteUrl(service.database.url))
        makeLax(database)
      }
      await set(assignment, end + 3)
      const reader = await follow(end)
      await reader.ended
      assert.deepEqual(sequences(reader.left), [end + 1, end + 2])
    })
  }
})

onSqlite('a damaged head of a log is named to clients that follow it', async (t) => {
  const { service, tenantId, refusal } = await start(t)
  {
    using database = new DatabaseSync(parseSqliteUrl(service.database.url))
    makeLax(database)
  }
  await writeStored(service, "UPDATE event_heads SET sequence = 'x' WHERE tenant_id = ?", tenantId)
  assert.deepEqual(await refusal(0), [500, code])
})
