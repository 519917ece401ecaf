import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0, userOf } from './samples.testkit.ts'

/** When sign-ins named the form to complete. */
export function formPromptTests(open: OpenStorage): void {
  test('records a prompt unless one was recorded since', async () => {
    const { storage, close } = await open()
    const { users, formPrompts } = await newTenant(storage)
    const user = userOf()
    await users.add(user, null)
    assert.equal(await formPrompts.latestOf(user.id), null)
    assert.equal(await formPrompts.record(user.id, t0, t0 - 10), true)
    assert.equal(await formPrompts.record(user.id, t0 + 9, t0 - 1), false)
    assert.equal(await formPrompts.latestOf(user.id), t0)
    assert.equal(await formPrompts.record(user.id, t0 + 10, t0), true)
    assert.equal(await formPrompts.latestOf(user.id), t0 + 10)
    assert.deepEqual(await users.find(user.id), user)
    assert.equal(await formPrompts.record('unknown', t0, t0), false)
    assert.equal(await formPrompts.latestOf('unknown'), null)
    await close()
  })

  test('of 64 prompts of one user at once, one is recorded', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const user = userOf()
    await tenant.users.add(user, null)
    const recorded = await atOnce(64, () => tenant.write((tx) => tx.formPrompts.record(user.id, t0, t0 - 1)))
    assert.equal(recorded.filter(Boolean).length, 1)
    await close()
  })
}
