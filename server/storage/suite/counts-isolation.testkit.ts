import assert from 'node:assert/strict'
import { halfHourOf, totalsOf } from './counts.testkit.ts'
import type { Probe, SharedCall } from './isolation-calls.testkit.ts'
import { sessionOf, t0 } from './samples.testkit.ts'
import { idsOf, shared } from './two-tenants.testkit.ts'

const b = idsOf('B')
const later = t0 + 1000
const suspension = { capability: 'upload', reason: null, until: null }

/** What tenant B has: a user, a guest and a session under ids that A has too, and under others. */
export const sharedCounts: Record<string, SharedCall> = {
  'counts.halfHoursSince': [
    async ({ counts }) => (await counts.halfHoursSince(0)).map(({ at }) => at).slice(0, 2),
    [shared.halfHour, b.halfHour],
  ],
  'counts.countUsers': [
    ({ counts }) => counts.countUsers('', 9),
    { users: 4, guests: 2, suspensions: [suspension, suspension], last: null },
  ],
  'counts.countUsers of the first': [
    ({ counts }) => counts.countUsers('', 2),
    { users: 2, guests: 2, suspensions: [], last: b.guest },
  ],
  'counts.countSessions': [
    ({ counts }) => counts.countSessions('', 9, later),
    { openSessions: 2, expiresAt: sessionOf().idleExpiresAt, last: null },
  ],
  'counts.countSessions of the next': [
    ({ counts }) => counts.countSessions(shared.session, 1, later),
    { openSessions: 1, expiresAt: sessionOf().idleExpiresAt, last: b.session },
  ],
}
const leased = t0 + 90 * 86_400_000

/** Counts of one tenant are added and replaced; those of another one in the same half hour, due at once, stay. */
export const checkCounts: Probe = async ({ storage, dump }) => {
  const { counts } = storage.system
  const of = async (tenantId: string) => {
    const { tenant_counts, tenant_totals } = await dump()
    return [tenant_counts, tenant_totals].map((rows) => rows!.filter((row) => row['tenant_id'] === tenantId))
  }
  await counts.addActs([{ tenantId: 'A', ...halfHourOf(t0, { codes: 5 }) }])
  await counts.addTotals([{ tenantId: 'A', ...totalsOf({ users: 5 }) }], later)
  const before = await of('A')
  const ofB = storage.forTenant('B').counts
  const stored = await ofB.halfHoursSince(t0)
  const users = (await ofB.totals())!.users
  await counts.addActs([{ tenantId: 'B', ...halfHourOf(t0, { codes: 1 }) }])
  await counts.addTotals([{ tenantId: 'B', ...totalsOf({ users: 1 }) }], later)
  assert.deepEqual(await ofB.halfHoursSince(t0), [halfHourOf(t0, { codes: (stored[0]?.codes ?? 0) + 1 })])
  assert.equal((await ofB.totals())?.users, users + 1)
  assert.deepEqual(await of('A'), before)
  const ofA = await storage.forTenant('A').counts.totals()
  assert.equal((await counts.totals()).users, ofA!.users + users + 1)
  const expected = { A: ofA!.users, B: users + 1 }
  for (const order of ['newest', 'oldest'] as const) {
    for (const by of [{}, { name: '' }]) {
      const found = await storage.system.tenants.search({ order, ...by, limit: 9, cursor: null })
      const known = found.filter(({ id }) => id in expected).map((tenant) => [tenant.id, tenant.users])
      assert.deepEqual(Object.fromEntries(known), expected)
    }
  }
  const due = await counts.claimDue(leased - 1, leased, 9)
  assert.deepEqual(
    due.map(({ tenantId }) => tenantId).filter((id) => 'AB'.includes(id)),
    ['A', 'B'],
  )
  const claimed = await of('A')
  assert.equal(
    await counts.replaceTotals({ tenantId: 'B', recountAt: leased }, totalsOf({ users: 9 }), later, later),
    true,
  )
  assert.deepEqual(await of('A'), claimed)
}
