import assert from 'node:assert/strict'
import type { EventRole } from '../../events/erasure.ts'
import type { ForeignCall, Probe, SharedCall } from './isolation-calls.testkit.ts'
import { t0 } from './samples.testkit.ts'
import { shared } from './two-tenants.testkit.ts'

const roles: readonly EventRole[] = ['subject', 'actor']

/** Erasures of users that only another tenant has. */
export const foreignErasures: Record<string, ForeignCall> = {
  ...Object.fromEntries(
    roles.map((role): [string, ForeignCall] => [
      `eventErasures.eraseNext, ${role}`,
      [({ eventErasures }, a) => eventErasures.eraseNext(a.user, role, ''), null],
    ]),
  ),
  'eventErasures.isUnfinished': [({ eventErasures }, a) => eventErasures.isUnfinished(a.user), false],
  'eventErasures.finish': [({ eventErasures }, a) => eventErasures.finish(a.user), undefined],
  'eventLog.mentions': [({ eventLog }, a) => eventLog.mentions(a.user), false],
}

/** Erasures of a user whose id another tenant has too. */
export const sharedErasures: Record<string, SharedCall> = {
  ...Object.fromEntries(
    roles.map((role): [string, SharedCall] => [
      `eventErasures.eraseNext, ${role}`,
      [({ eventErasures }) => eventErasures.eraseNext(shared.user, role, ''), role === 'actor' ? 'B 1' : 'B 2'],
    ]),
  ),
  'eventErasures.start': [({ eventErasures }) => eventErasures.start(shared.user, t0), undefined],
  'eventErasures.isUnfinished': [({ eventErasures }) => eventErasures.isUnfinished(shared.user), true],
  'eventLog.mentions': [({ eventLog }) => eventLog.mentions(shared.user), true],
  'eventErasures.finish': [({ eventErasures }) => eventErasures.finish(shared.user), undefined],
}

const unpurged = { have: 'all rows', before: t0 + 1_000, after: { sealedAt: 0, batch: 0 }, limit: 9 } as const
const kept = { ...unpurged, have: 'acts of operators' } as const

/** Purges the same batches of both logs, and the log of one of them again. */
export const checkPurge: Probe = async ({ storage, dump }) => {
  const [a, b] = [storage.system.eventPurge('A'), storage.system.eventPurge('B')]
  const mark = { rowHashes: '', kept: 1, purgedAt: t0, purgeKid: '', purgeSignature: '' }
  const eventsOf = async (tenantId: string) =>
    (await dump())['events']!.filter((row) => row['tenant_id'] === tenantId).map(({ id }) => id)
  const before = { events: await eventsOf('A'), batches: await a.list(unpurged) }
  const [first, second] = await b.list(unpurged)
  assert.deepEqual([first?.sealedAt, second?.sealedAt], [t0 + 10, t0 + 20])
  const found = await Promise.all([first, second].map((batch) => b.rows(batch!, 0, 9)))
  assert.deepEqual(
    found.flat().map(({ id }) => id),
    ['B 1', 'B 2'],
  )
  assert.deepEqual(await b.rows(first!, found[0]!.at(-1)!.sequence, 9), [])
  assert.equal(await b.purge(first!, 'acts of operators', mark), 1)
  assert.equal(await b.purge(second!, 'nothing', mark), 1)
  assert.deepEqual({ events: await eventsOf('A'), batches: await a.list(unpurged) }, before)
  assert.deepEqual([await a.list(kept), (await b.list(kept)).length], [[], 2])
  // Purged at another tenant, and not here: this tenant's batch is locked and purged.
  assert.equal(await a.purge(before.batches[0]!, 'nothing', null), 1)
  assert.equal(await b.purge(first!, 'nothing', null), null)
}
