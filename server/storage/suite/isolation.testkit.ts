import assert from 'node:assert/strict'
import { eraseTenant } from '../../tenants/erase-deleted-tenants.ts'
import { checkCounts } from './counts-isolation.testkit.ts'
import { checkPurge } from './event-isolation.testkit.ts'
import { batchOf } from './event-sealing.testkit.ts'
import { foreignCalls } from './foreign-calls.testkit.ts'
import type { ForeignCall, Probe, SharedCall } from './isolation-calls.testkit.ts'
import type { Dump, OpenedStorage } from './opened-storage.testkit.ts'
import { claim, entryOf, noticeOf, queuedEventOf, record, schemaOf, t0, tenantOf } from './samples.testkit.ts'
import { sharedCalls } from './shared-calls.testkit.ts'
import { idsOf, shared, sharedPhoneOf } from './two-tenants.testkit.ts'

const a = idsOf('A')
const b = idsOf('B')
const later = t0 + 1000

/** Tenant B calls with ids of A, then with unknown ids: the results are the same and no row changes. */
const foreignProbe =
  (name: string, [call, answer]: ForeignCall): Probe =>
  async ({ storage, dump }) => {
    const tenantB = storage.forTenant('B')
    const before = await dump()
    for (const ids of [a, idsOf('none')]) {
      assert.deepEqual(await call(tenantB, ids), answer, `${name} of ${ids.tenant}`)
      assert.deepEqual(await tenantB.write((tx) => call(tx, ids)), answer, `${name} of ${ids.tenant} in a write`)
    }
    assert.deepEqual(await dump(), before, `${name} changes nothing`)
  }

/** Tenant B works on rows whose ids A has too: it reaches its own, and no row of A changes. */
const sharedProbe =
  (name: string, [call, answer]: SharedCall): Probe =>
  async ({ storage, dump }) => {
    const before = rowsOf('A', await dump())
    assert.deepEqual(await call(storage.forTenant('B')), answer, name)
    assert.deepEqual(rowsOf('A', await dump()), before, `${name} leaves the other tenant's rows alone`)
  }

/** System stores keep tenants apart. */
const systemProbes: readonly Probe[] = [
  checkCallerRecord,
  checkInbox,
  checkClaimedCodes,
  checkRecordedResults,
  checkPublication,
  checkCounts,
]

/** All probes by the behaviour that they check. */
export const probes: Readonly<Record<string, readonly Probe[]>> = {
  'a call with ids of another tenant finds and changes nothing, like a call with unknown ids': Object.entries(
    foreignCalls,
  ).map(([name, call]) => foreignProbe(name, call)),
  'a call on an id that two tenants have reaches the caller’s own row': [
    ...systemProbes,
    ...Object.entries(sharedCalls).map(([name, call]) => sharedProbe(name, call)),
  ],
  'a purge deletes events of its own log': [checkPurge],
  'seals the events of each tenant in its own log': [checkSealing],
  'erases a deleted tenant to its last row, and no row of other tenants': [checkErasure],
}

/** Tenant B is deleted and erased to the last row; no row of A changes. */
async function checkErasure({ storage, dump }: OpenedStorage): Promise<void> {
  const before = rowsOf('A', await dump())
  await storage.system.tenants.add(tenantOf({ id: 'F' }), {}, schemaOf('1'))
  assert.equal(await storage.system.tenants.markDeleted('B', later), true)
  await storage.system.tenants.markDeleted('F', later + 1)
  const { tenants } = storage.system
  const answers = [a, b].map(({ tenant, answer }) => storage.forTenant(tenant).idempotency.find(answer, later))
  assert.deepEqual(await Promise.all(answers), ['A', null])
  assert.equal(await tenants.nextDeleted(later - 1, 0), null)
  assert.deepEqual([await tenants.nextDeleted(later + 1, 0), await tenants.nextDeleted(later + 1, 1)], ['B', 'F'])
  assert.equal(await tenants.erase('A', 1_000, 0), null)
  assert.notDeepEqual(Object.values(rowsOf('B', await dump())).flat(), [])
  for (const id of ['B', 'F']) await eraseTenant(tenants, id, 1)
  assert.equal(await tenants.nextDeleted(later + 1, 0), null)
  const after = await dump()
  assert.deepEqual(rowsOf('A', after), before)
  for (const erased of ['B', 'F']) assert.deepEqual(Object.values(rowsOf(erased, after)).flat(), [])
}

/** Two logs whose heads have the same batch, and which share the id of an event. */
async function checkSealing({ storage, dump }: OpenedStorage): Promise<void> {
  const { eventSealing } = storage.system
  const add = (tenantId: string, id: string) => storage.forTenant(tenantId).events.add(queuedEventOf({ id }))
  const sequencesOf = async (tenantId: string): Promise<Record<string, number>> =>
    Object.fromEntries(rowsOf(tenantId, await dump())['events']!.map(({ id, sequence }) => [id, Number(sequence)]))
  for (const tenantId of ['A', 'B']) await add(tenantId, '0 sealed')
  await add('A', '1 sealed')
  await eventSealing.seal(1_000, batchOf)
  const batchAt = async (tenantId: string) => Number(rowsOf(tenantId, await dump())['event_heads']![0]!['batch'])
  for (const [tenantId, other] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    for (let id = 0; (await batchAt(tenantId)) < (await batchAt(other)); id++) {
      await add(tenantId, `2 sealed ${id}`)
      await eventSealing.seal(1_000, batchOf)
    }
  }
  const before = rowsOf('A', await dump())
  const ofB = await sequencesOf('B')
  assert.ok('0 sealed' in ofB)
  // An earlier probe may have purged the first events.
  const [last, count] = [Math.max(...Object.values(ofB)), Object.keys(ofB).length]
  assert.deepEqual(
    Object.values(ofB).sort((one, other) => one - other),
    Array.from({ length: count }, (_, index) => last - count + index + 1),
  )
  await add('B', '1 sealed')
  await eventSealing.seal(1_000, batchOf)
  assert.deepEqual(await sequencesOf('B'), { ...ofB, '1 sealed': last + 1 })
  assert.deepEqual(rowsOf('A', await dump()), before, 'sealing leaves the other log alone')
  for (const tenantId of ['A', 'B']) await add(tenantId, '3 sealed')
  await eventSealing.sealLog('B', 1_000, batchOf)
  const queuedOf = async (tenantId: string) => rowsOf(tenantId, await dump())['event_queue']!.map(({ id }) => id)
  assert.deepEqual([await queuedOf('A'), await queuedOf('B')], [['3 sealed'], []])
  await eventSealing.seal(1_000, batchOf)
}

async function checkCallerRecord({ storage }: OpenedStorage): Promise<void> {
  const record = await storage.callerRecord(b.key, shared.session)
  assert.equal(record?.tenant.id, 'B')
  assert.deepEqual([record.user?.phone, record.user?.providers], [sharedPhoneOf('B'), ['google']])
  assert.equal((await storage.callerRecord(b.key, b.session))?.user?.email, b.email)
  assert.equal((await storage.callerRecord(b.key, a.session))?.session, null)
  for (const { key, tenant } of [a, b]) assert.equal((await storage.callerRecord(key, null))?.tenant.id, tenant)
}

/** Each message carries the code of its own tenant's OTP. */
async function checkClaimedCodes({ storage }: OpenedStorage): Promise<void> {
  const claimed = await claim(storage.system.outbox, 'outbox worker', later, later + 1, 100)
  const codes = claimed
    .filter(({ otpId }) => otpId === shared.pendingOtp)
    .map(({ tenantId, sealedCode }) => [tenantId, sealedCode])
  assert.deepEqual(codes.sort(), [
    ['A', 'code of A'],
    ['B', 'code of B'],
  ])
  const message = { tenantId: 'B', id: `message-${shared.pendingOtp}` }
  const again = await storage.system.outbox.readAgain(message, 'outbox worker', later)
  assert.deepEqual([again?.tenantId, again?.sealedCode], ['B', 'code of B'])
}

/** Of two messages of one id, both leased to one owner, the result is recorded for the right one. */
async function checkRecordedResults({ storage, dump }: OpenedStorage): Promise<void> {
  const { outbox } = storage.system
  const notices = ['of a deleted user', 'posted', 'posted, of a deleted user'] as const
  const ids = [`message-${shared.pendingOtp}`, `message-${shared.verifiedOtp}`, ...notices] as const
  for (const tenantId of ['A', 'B'])
    for (const id of notices) await storage.forTenant(tenantId).messages.notify(noticeOf({ id, userId: null }))
  await claim(outbox, 'owner', later + 1, later + 2, 100)
  const before = rowsOf('A', await dump())
  const ends = [
    { state: 'sent' },
    { state: 'queued', error: 'timed out', retryAt: later },
    { state: 'sent', forgetRecipient: true },
    { state: 'sent', inboxEntry: entryOf({}) },
    { state: 'sent', inboxEntry: entryOf({}), forgetRecipient: true },
  ] as const
  const results = ends.map((end, index) => ({ tenantId: 'B', id: ids[index]!, ...end }))
  await record(outbox, 'owner', results, later + 1)
  const after = await dump()
  assert.deepEqual(rowsOf('A', after), before)
  const states = new Map(rowsOf('B', after)['outbox']?.map((row) => [row['id'], row['state']]))
  assert.deepEqual(
    ids.map((id) => states.get(id)),
    ['sent', 'queued', 'sent', 'sent', 'sent'],
  )
}

/** Publishing at one tenant changes nothing at another one with the same revision. */
async function checkPublication({ storage, dump }: OpenedStorage): Promise<void> {
  for (const id of ['C', 'D', 'E']) await storage.system.tenants.add(tenantOf({ id }), {}, schemaOf('1'))
  const before = await dump()
  assert.equal(await storage.forTenant('C').tenant.publishSchema(schemaOf('2', 2), 1, later), true)
  assert.equal(await storage.forTenant('D').tenant.startBuild(schemaOf('2', 2), 1, later), true)
  const after = await dump()
  for (const id of ['A', 'B', 'E']) assert.deepEqual(rowsOf(id, after), rowsOf(id, before))
  const [c, d] = [
    await storage.forTenant('C').tenant.configuration(),
    await storage.forTenant('D').tenant.configuration(),
  ]
  assert.deepEqual([c?.building, d?.profileSchema], [null, schemaOf('1')])
}

/** The filter by tenant applies with every other filter. */
async function checkInbox({ storage }: OpenedStorage): Promise<void> {
  const { pendingOtp: otpId, recipient } = shared
  for (const filter of [{}, { otpId }, { recipient }]) {
    const entries = await storage.system.inbox.list({ ...filter, tenantId: 'B' }, 10)
    assert.deepEqual(
      entries.map(({ sealed }) => sealed),
      ['B', 'B'],
    )
  }
}

const rowsOf = (tenantId: string, dump: Dump) =>
  Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [
      table,
      rows.filter((row) => (table === 'tenants' ? row['id'] : row['tenant_id']) === tenantId),
    ]),
  )
