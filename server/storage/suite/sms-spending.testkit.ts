import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../core/ids.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0 } from './samples.testkit.ts'

const day = '2026-01-15'
const next = '2026-01-16'

/** SMS counts by tenant and day: never above the budget, also with calls at once. */
export function smsSpendingTests(open: OpenStorage): void {
  test('of fifty calls at once with a budget of ten, exactly ten are allowed and counted', async () => {
    const { storage, dump, close } = await open()
    const id = ulid(t0)
    const { smsSpending } = await newTenant(storage, { id })
    const allowed = await atOnce(50, () => smsSpending.spend(day, 10))
    assert.equal(allowed.filter(Boolean).length, 10)
    assert.deepEqual(
      (await dump())['sms_spending']?.map((row) => ({ ...row })),
      [{ tenant_id: id, day, sent: 10 }],
    )
    await close()
  })

  test('a budget of zero allows and counts nothing', async () => {
    const { storage, dump, close } = await open()
    const { smsSpending } = await newTenant(storage)
    assert.equal(await smsSpending.spend(day, 0), false)
    assert.deepEqual((await dump())['sms_spending'], [])
    await close()
  })

  test('each day has a separate count', async () => {
    const { storage, close } = await open()
    const { smsSpending } = await newTenant(storage)
    assert.deepEqual(await atOnce(2, () => smsSpending.spend(day, 1)).then((all) => all.toSorted()), [false, true])
    assert.equal(await smsSpending.spend(next, 1), true)
    assert.equal(await smsSpending.spend(next, 1), false)
    await close()
  })

  test('a purge deletes the counts of earlier days', async () => {
    const { storage, dump, close } = await open()
    const tenants = [await newTenant(storage), await newTenant(storage)]
    for (const { smsSpending } of tenants)
      for (const each of ['2025-12-31', '2026-01-14', day, next]) await smsSpending.spend(each, 5)
    const noon = Date.parse(`${day}T12:00:00Z`)
    assert.equal(await storage.system.purge('smsSpending', noon, 3), true)
    assert.equal(await storage.system.purge('smsSpending', noon, 3), false)
    const left = (await dump())['sms_spending']!.map((row) => row['day'])
    assert.deepEqual(left.toSorted(), [day, day, next, next])
    await close()
  })

  test('giveBack allows one more', async () => {
    const { storage, close } = await open()
    const { smsSpending } = await newTenant(storage)
    await atOnce(3, () => smsSpending.spend(day, 3))
    await smsSpending.giveBack(day)
    assert.equal((await atOnce(5, () => smsSpending.spend(day, 3))).filter(Boolean).length, 1)
    await close()
  })

  test('giveBack without an earlier spend changes nothing', async () => {
    const { storage, close } = await open()
    const { smsSpending } = await newTenant(storage)
    await smsSpending.giveBack(day)
    await smsSpending.spend(day, 1)
    await atOnce(3, () => smsSpending.giveBack(day))
    assert.equal((await atOnce(5, () => smsSpending.spend(day, 1))).filter(Boolean).length, 1)
    await close()
  })

  test('a budget below the count stops sending; a higher one allows it again', async () => {
    const { storage, close } = await open()
    const { smsSpending } = await newTenant(storage)
    await atOnce(5, () => smsSpending.spend(day, 5))
    assert.equal(await smsSpending.spend(day, 3), false)
    assert.equal(await smsSpending.spend(day, 6), true)
    await close()
  })

  test('tenants have separate counts', async () => {
    const { storage, close } = await open()
    const [one, two] = [await newTenant(storage), await newTenant(storage)]
    await atOnce(10, () => one.smsSpending.spend(day, 10))
    assert.equal((await atOnce(20, () => two.smsSpending.spend(day, 10))).filter(Boolean).length, 10)
    await one.smsSpending.giveBack(day)
    assert.equal(await two.smsSpending.spend(day, 10), false)
    await close()
  })
}
