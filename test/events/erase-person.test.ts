import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { finishErasures } from '../../server/events/finish-erasures.ts'
import {
  currentKey,
  headOf,
  type SampleLog,
  sampleEvent,
  sealBatch,
  verifySample,
} from '../../server/events/verify/sample-log.testkit.ts'
import { storedMessages, storedOtp, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import type { StorageHooks } from '../support/databases/test-database.ts'
import { storedLog, storeLog } from '../support/events/sealed-log-rows.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeEach(async () => {
  service = await startTestService()
})
afterEach(() => service.close())

/** A log of two batches: most events are about a user, each third one is by the user, the first about another. */
function logAbout(tenantId: string, userId: string, count: number): SampleLog {
  const log: SampleLog = { tenantId, events: [], batches: [], head: null }
  for (const batch of [1, 2]) {
    const first = log.events.length + 1
    const events = Array.from({ length: count / 2 }, (_, index) => {
      const event = sampleEvent(tenantId, first + index, batch)
      const isActor = event.sequence % 3 === 0
      const subjectId = event.sequence === 1 ? 'another' : isActor ? null : userId
      return { ...event, actorKind: 'user' as const, actorId: isActor ? userId : null, subjectId }
    })
    log.batches.push(sealBatch(tenantId, events, log.batches.at(-1) ?? null, currentKey))
    log.events.push(...events)
  }
  log.head = headOf(log)
  return log
}

const personal = (tenantId: string) =>
  storedLog(service.database, tenantId).events.flatMap(({ sequence, personal }) => (personal === null ? [] : sequence))
const marked = () =>
  storedRows(service, 'SELECT user_id FROM event_erasures ORDER BY user_id').map((row) => row['user_id'])
/** Stands for the relay: nothing recorded so far is queued any more. */
const emptyQueue = () => writeStored(service, 'DELETE FROM event_queue')
const housekeeping = () => service.service.services.housekeeping.run()

/** Starts a tenant with a log of 3,000 events about a new user. */
async function addLog() {
  const tenant = await service.addTenant()
  const { userId } = await addPerson(service, tenant)
  storeLog(service.database, logAbout(tenant.tenantId, userId, 3_000))
  return { tenantId: tenant.tenantId, userId }
}

test('erases the newest events with the user, the older ones within two minutes, and no event of others (threat L12)', async () => {
  const { tenantId, userId } = await addLog()
  await service.admin.deleteUser({ tenantId, userId })
  await emptyQueue()
  // 500 as the one who acted, 500 as the one it was about.
  assert.equal(personal(tenantId).length, 2_000)
  assert.deepEqual(marked(), [userId])
  service.clock.advance(60_000)
  await housekeeping()
  assert.equal(personal(tenantId).length, 2_000)
  service.clock.advance(60_001)
  await housekeeping()
  assert.deepEqual([personal(tenantId), marked()], [[1], []])
  const log = storedLog(service.database, tenantId)
  assert.deepEqual((await verifySample(log)).faults, [])
  assert.ok(log.events.some(({ subjectId }) => subjectId === userId))
})

test('an erasure that dies goes on after the restart', async () => {
  const { tenantId, userId } = await addLog()
  await service.admin.deleteUser({ tenantId, userId })
  await emptyQueue()
  let statements = 0
  const hooks: StorageHooks = {
    onStatement: (name: string) => {
      if (name.startsWith('eventErasure.eraseNext') && ++statements >= 3) throw new Error('killed')
    },
  }
  const later = service.clock.now() + 120_000
  const dying = await service.database.open(hooks)
  await assert.rejects(finishErasures(dying, later), /failed for tenant/)
  await dying.close()
  assert.deepEqual(marked(), [userId])
  assert.notDeepEqual(personal(tenantId), [1])
  const next = await service.database.open()
  await finishErasures(next, later)
  await next.close()
  assert.deepEqual([personal(tenantId), marked()], [[1], []])
})

test('a page of erasures that fail stops no other, and names its tenant once', async () => {
  const { tenantId } = await service.addTenant()
  const userIds = Array.from({ length: 201 }, (_, index) => `user-${String(index).padStart(3, '0')}`)
  const rows = userIds.map(() => '(?, ?, 1)').join()
  const into = 'INSERT INTO event_erasures (tenant_id, user_id, erased_at)'
  await writeStored(service, `${into} VALUES ${rows}`, ...userIds.flatMap((userId) => [tenantId, userId]))
  let attempts = 0
  const onStatement = (name: string) => {
    if (name === 'eventErasure.remove' && ++attempts <= 200) throw new Error('stuck')
  }
  const storage = await service.database.open({ onStatement })
  const message = `failed for tenant ${tenantId}; all other tenants were processed`
  await assert.rejects(finishErasures(storage, service.clock.now()), { message })
  await storage.close()
  assert.deepEqual(marked(), userIds.slice(0, 200))
})

test('waits until every event from before the erasure is sealed, and erases it then (threat L12)', async () => {
  const { tenantId, userId } = await addLog()
  await service.admin.deleteUser({ tenantId, userId })
  await emptyQueue()
  const { storage } = service.service.services
  const events = storage.forTenant(tenantId)
  const late = sampleEvent(tenantId, 3_001, 3)
  const { sequence: _sequence, batch: _batch, ...queued } = { ...late, subjectId: userId, at: service.clock.now() }
  await events.write((tx) => tx.events.add(queued))
  service.clock.advance(3_600_000)
  await finishErasures(storage, service.clock.now())
  assert.deepEqual(marked(), [userId])
  await emptyQueue()
  storeLog(service.database, {
    ...{ tenantId, batches: [], head: null },
    events: [{ ...late, subjectId: userId }],
  })
  await finishErasures(storage, service.clock.now())
  assert.deepEqual([personal(tenantId), marked()], [[1], []])
})

test('events of a log that cannot be sealed delay no erasure in another', async () => {
  const { tenantId, userId } = await addLog()
  const other = await service.addTenant()
  const { userId: waiting } = await addPerson(service, other)
  await service.admin.deleteUser({ tenantId, userId })
  await service.admin.deleteUser({ tenantId: other.tenantId, userId: waiting })
  await writeStored(service, 'DELETE FROM event_queue WHERE tenant_id <> ?', other.tenantId)
  service.clock.advance(3_600_000)
  const { storage } = service.service.services
  await finishErasures(storage, service.clock.now())
  assert.deepEqual([personal(tenantId), marked()], [[1], [waiting]])
  await emptyQueue()
  await finishErasures(storage, service.clock.now())
  assert.deepEqual(marked(), [])
})

test('cancels and forgets a code that was issued while its user was erased (threat L12)', async () => {
  const tenant = await service.addTenant()
  const { userId, email, issue } = await addPerson(service, tenant)
  const { id } = await issue('reset_password')
  const stored = () => {
    const { state, sealed_code, recipient } = storedOtp(service, id)
    const [message] = storedMessages(service, id)
    return { state, sealedCode: sealed_code!, recipient, sentTo: message!['recipient'] }
  }
  const { sealedCode } = stored()
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId })
  await emptyQueue()
  // As if the reset had been stored after the erasure.
  const late = `UPDATE otps SET state = 'pending', sealed_code = ?, recipient = ? WHERE id = ?`
  await writeStored(service, late, sealedCode, email, id)
  await writeStored(service, 'UPDATE outbox SET recipient = ? WHERE otp_id = ?', email, id)
  assert.deepEqual(stored(), { state: 'pending', sealedCode, recipient: email, sentTo: email })
  service.clock.advance(60_001)
  await finishErasures(service.service.services.storage, service.clock.now())
  assert.deepEqual(stored(), { state: 'cancelled', sealedCode: null, recipient: '', sentTo: '' })
})

test('erases queued events with the user', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const { userId } = await addPerson(service, tenant)
  await emptyQueue()
  const { storage } = service.service.services
  const stores = storage.forTenant(tenantId)
  const of = (sequence: number, who: object) => {
    const { sequence: _sequence, batch: _batch, ...event } = sampleEvent(tenantId, sequence, 1)
    return { ...event, subjectId: null, actorId: null, ...who }
  }
  for (const event of [of(1, { subjectId: userId }), of(2, { actorId: userId }), of(3, { actorId: 'another' })])
    await stores.write((tx) => tx.events.add(event))
  await service.admin.deleteUser({ tenantId, userId })
  const rows = storedRows(service, 'SELECT personal FROM event_queue WHERE tenant_id = ? ORDER BY id', tenantId)
  assert.deepEqual(
    rows.slice(0, 3).map((row) => row['personal'] === null),
    [true, true, false],
  )
})

test('a user imported with the id of the tenant or of a key reads and erases none of their events', async () => {
  const tenant = await service.addTenant()
  const { tenantId, client } = tenant
  const [key] = (await service.admin.listTenantKeys({ tenantId })).items
  const passwordHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  for (const id of [tenantId, key!.id]) {
    const user = { email: `${id}@example.com`, emailVerified: true, passwordHash }
    assert.equal((await importInto(service, tenant, [{ id, ...user }])).counts.imported, 1)
  }
  await refused(
    client.signIn({ method: 'password', email: 'unknown@example.com', password: 'U*U' }),
    'INVALID_CREDENTIALS',
  )
  await service.service.services.events.drain()
  const ofOthers = () => storedLog(service.database, tenantId).events.filter(({ actorKind }) => actorKind !== 'user')
  const before = ofOthers()
  for (const id of [tenantId, key!.id]) assert.ok(before.some((event) => [event.subjectId, event.actorId].includes(id)))
  for (const id of [tenantId, key!.id]) {
    const { accessToken } = await client.signIn({ method: 'password', email: `${id}@example.com`, password: 'U*U' })
    await service.service.services.events.drain()
    const own = client.withSession(accessToken)
    const { items } = await own.listActivity()
    assert.deepEqual(
      items.map(({ type, actor }) => [type, actor.kind]),
      [['sign_in.succeeded', 'user']],
    )
    await own.deleteAccount()
  }
  await service.service.services.events.drain()
  service.clock.advance(120_001)
  await housekeeping()
  assert.deepEqual(marked(), [])
  assert.deepEqual(ofOthers().slice(0, before.length), before)
  assert.deepEqual((await service.admin.verifyEvents({ tenantId })).faults, [])
})
