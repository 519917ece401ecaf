import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HalfHour, Totals } from '../../statistics/tenant-counts.ts'
import { eraseTenant } from '../../tenants/erase-deleted-tenants.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, sessionOf, t0, tenantOf, userOf } from './samples.testkit.ts'

const day = 86_400_000
const minute = 60_000

export const halfHourOf = (at: number, changes: Partial<HalfHour> = {}): HalfHour => ({
  at,
  signUps: 0,
  signIns: 0,
  codes: 0,
  resets: 0,
  messagesSent: 0,
  messagesFailed: 0,
  ...changes,
})
export const totalsOf = (changes: Partial<Totals> = {}): Totals => ({
  users: 0,
  guests: 0,
  suspended: 0,
  openSessions: 0,
  ...changes,
})

/** Counts by tenant and half hour, and totals. */
export function countTests(open: OpenStorage): void {
  test('writers at once add to the same half hour, and each half hour is separate', async () => {
    const { storage, close } = await open()
    const { id } = tenantOf()
    const { counts } = await newTenant(storage, { id })
    const more = halfHourOf(t0, { signUps: 1, signIns: 2, codes: 3, resets: 4, messagesSent: 5, messagesFailed: 6 })
    await atOnce(20, () => storage.system.counts.addActs([{ tenantId: id, ...more }]))
    await storage.system.counts.addActs([{ tenantId: id, ...halfHourOf(t0 + 30 * minute, { codes: 1 }) }])
    const sums = { signUps: 20, signIns: 40, codes: 60, resets: 80, messagesSent: 100, messagesFailed: 120 }
    const later = halfHourOf(t0 + 30 * minute, { codes: 1 })
    assert.deepEqual(await counts.halfHoursSince(0), [halfHourOf(t0, sums), later])
    assert.deepEqual(await counts.halfHoursSince(t0 + 1), [later])
    await close()
  })

  test('the deployment has counts apart from its tenants', async () => {
    const { storage, close } = await open()
    const { counts } = await newTenant(storage)
    await atOnce(3, () => storage.system.counts.addOwnActs([halfHourOf(t0, { signUps: 2 })]))
    assert.deepEqual(await storage.system.counts.halfHoursSince(0), [halfHourOf(t0, { signUps: 6 })])
    assert.deepEqual(await counts.halfHoursSince(0), [])
    await close()
  })

  test('a tenant that was deleted or never existed gets no counts', async () => {
    const { storage, dump, close } = await open()
    const { id } = tenantOf()
    await newTenant(storage, { id })
    await storage.system.tenants.markDeleted(id, t0)
    const { counts } = storage.system
    await counts.addActs(['unknown', id].map((tenantId) => ({ tenantId, ...halfHourOf(t0, { codes: 1 }) })))
    assert.deepEqual((await dump())['tenant_counts'], [])
    await counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], t0)
    assert.deepEqual(await counts.totals(), totalsOf())
    await eraseTenant(storage.system.tenants, id, 1)
    await counts.addMissingTotals()
    await counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], t0)
    assert.deepEqual((await dump())['tenant_totals'], [])
    await close()
  })

  test('counts older than the limit are purged', async () => {
    const { storage, close } = await open()
    const { id } = tenantOf()
    const { counts } = await newTenant(storage, { id })
    const halfHours = [t0, t0 + 1, t0 + 2].map((at) => ({ tenantId: id, ...halfHourOf(at, { codes: 1 }) }))
    await storage.system.counts.addActs(halfHours)
    assert.equal(await storage.system.purge('counts', t0 + 2, 1), true)
    assert.equal(await storage.system.purge('counts', t0 + 2, 5), false)
    assert.deepEqual(
      (await counts.halfHoursSince(0)).map(({ at }) => at),
      [t0 + 2],
    )
    await close()
  })

  test('a new tenant has nothing; changes add up, also those of writers at once', async () => {
    const { storage, close } = await open()
    const [one, other] = [tenantOf(), tenantOf()]
    const { counts } = await newTenant(storage, one)
    await newTenant(storage, other)
    assert.deepEqual(await counts.totals(), totalsOf())
    const change = { users: 3, guests: 2, suspended: 1, openSessions: -1 }
    await atOnce(10, () => storage.system.counts.addTotals([{ tenantId: one.id, ...change }], t0))
    const sums = { users: 30, guests: 20, suspended: 10, openSessions: -10 }
    assert.deepEqual(await counts.totals(), sums)
    await storage.system.counts.addTotals([{ tenantId: other.id, ...change }], t0)
    assert.deepEqual(await storage.system.counts.totals(), { users: 33, guests: 22, suspended: 11, openSessions: -11 })
    await close()
  })

  test('totals of an earlier version are unknown until they are counted', async () => {
    const { storage, execute, close } = await open()
    const { id } = tenantOf()
    const { counts } = await newTenant(storage, { id })
    await execute('DELETE FROM tenant_totals')
    assert.equal(await counts.totals(), null)
    await storage.system.counts.addMissingTotals()
    await storage.system.counts.addMissingTotals()
    await storage.system.counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], t0)
    assert.equal(await counts.totals(), null)
    assert.deepEqual(await storage.system.counts.totals(), totalsOf())
    const [due] = await storage.system.counts.claimDue(t0, t0 + minute, 9)
    assert.equal(await storage.system.counts.replaceTotals(due!, totalsOf({ users: 7 }), t0, t0 + day), true)
    assert.deepEqual(await counts.totals(), totalsOf({ users: 7 }))
    await close()
  })

  test('totals are due when they rest, later with many users, and after a day at the latest', async () => {
    const { storage, close } = await open()
    const { counts } = storage.system
    const [resting, busy] = [tenantOf(), tenantOf()]
    for (const tenant of [resting, busy]) await newTenant(storage, tenant)
    const dueAt = async (now: number) => (await counts.claimDue(now, now + day, 9)).map(({ tenantId }) => tenantId)
    const add = (tenantId: string, users: number, now: number) =>
      counts.addTotals([{ tenantId, ...totalsOf({ users }) }], now)
    await add(resting.id, 60_000, t0)
    await add(resting.id, 1, t0 + minute)
    assert.deepEqual(await dueAt(t0 + 5 * minute - 1), [])
    assert.deepEqual(await dueAt(t0 + 5 * minute), [resting.id])
    await add(busy.id, 1, t0 + day - minute)
    assert.deepEqual(await dueAt(t0 + day - 1), [])
    assert.deepEqual(await dueAt(t0 + day), [busy.id])
    await close()
  })

  test('of processes at once, one counts; what changes meanwhile makes its result void', async () => {
    const { storage, close } = await open()
    const { counts } = storage.system
    const { id } = tenantOf()
    const stores = await newTenant(storage, { id })
    await counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], t0)
    const later = t0 + 4 * minute
    const claims = await atOnce(8, (index) => counts.claimDue(later, later + minute + index, 9))
    const [due, ...others] = claims.flat()
    assert.deepEqual([due?.tenantId, others], [id, []])
    await counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], later)
    assert.equal(await counts.replaceTotals(due!, totalsOf({ users: 50 }), later, later + day), false)
    assert.deepEqual(await stores.counts.totals(), totalsOf({ users: 2 }))
    const rested = later + 4 * minute
    const [again] = await counts.claimDue(rested, rested + minute, 9)
    assert.equal(await counts.replaceTotals(again!, totalsOf({ users: 50 }), rested, rested + day), true)
    assert.deepEqual(await stores.counts.totals(), totalsOf({ users: 50 }))
    assert.deepEqual(await counts.claimDue(rested + day - 1, rested + day, 9), [])
    assert.equal((await counts.claimDue(rested + day, rested + day + 1, 9)).length, 1)
    await close()
  })

  test('totals that were counted a day ago are replaced although they change meanwhile', async () => {
    const { storage, close } = await open()
    const { counts } = storage.system
    const { id } = tenantOf()
    const stores = await newTenant(storage, { id })
    const later = t0 + day
    const [due] = await counts.claimDue(later, later + minute, 9)
    await counts.addTotals([{ tenantId: id, ...totalsOf({ users: 1 }) }], later)
    assert.equal(await counts.replaceTotals(due!, totalsOf({ users: 50 }), later - 1, later), false)
    assert.equal(await counts.replaceTotals(due!, totalsOf({ users: 50 }), later, later + day), true)
    assert.equal(await counts.replaceTotals(due!, totalsOf({ users: 60 }), later + 1, later + day), false)
    assert.deepEqual(await stores.counts.totals(), totalsOf({ users: 50 }))
    await close()
  })

  test('counts users and live sessions piece by piece', async () => {
    const { storage, close } = await open()
    const { counts, users, sessions } = await newTenant(storage)
    for (const index of [1, 2, 3, 4, 5]) {
      const user = userOf({ id: `u${index}`, guest: index === 2 })
      await users.add({ ...user, suspension: index === 3 ? { reason: null, until: t0 } : null }, null)
      const ended = index === 1 ? { revokedAt: t0 } : index === 5 ? { idleExpiresAt: t0 } : {}
      const secrets = { refreshHash: `r${index}`, amr: [] }
      await sessions.add(sessionOf({ id: `s${index}`, userId: `u${index}`, ...ended }), secrets, {
        ...{ userAgent: null, network: '' },
      })
    }
    const others = [sessionOf({ id: 's6', userId: 'deleted' }), sessionOf({ id: 's7', userId: 'u4', expiresAt: t0 })]
    for (const other of others)
      await sessions.add(other, { refreshHash: `r of ${other.id}`, amr: [] }, { userAgent: null, network: '' })
    const suspensions = [{ reason: null, until: t0 }]
    assert.deepEqual(await counts.countUsers('', 2), { users: 2, guests: 1, suspensions: [], last: 'u2' })
    assert.deepEqual(await counts.countUsers('u2', 2), { users: 2, guests: 0, suspensions, last: 'u4' })
    assert.deepEqual(await counts.countUsers('u4', 2), { users: 1, guests: 0, suspensions: [], last: null })
    assert.deepEqual(await counts.countUsers('u5', 2), { users: 0, guests: 0, suspensions: [], last: null })
    const { idleExpiresAt: expiresAt } = sessionOf()
    assert.deepEqual(await counts.countSessions('', 2, t0), { openSessions: 1, expiresAt, last: 's2' })
    assert.deepEqual(await counts.countSessions('s2', 9, t0), { openSessions: 2, expiresAt, last: null })
    assert.deepEqual(await counts.countSessions('s6', 9, t0), { openSessions: 0, expiresAt: null, last: null })
    await close()
  })
}
