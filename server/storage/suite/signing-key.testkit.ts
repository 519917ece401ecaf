import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SigningKey } from '../../accounts/sessions/signing-key-store.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, t0 } from './samples.testkit.ts'

const keyOf = (ordinal: number, signsFrom = t0): SigningKey => ({
  kid: `key ${ordinal}`,
  ordinal,
  publicJwk: `{"kid":"key ${ordinal}"}`,
  sealedPrivateJwk: `sealed ${ordinal}`,
  createdAt: t0 - 1,
  signsFrom,
})

/** The keys that sign access tokens: added once, withdrawn together, deleted when no longer trusted. */
export function signingKeyTests(open: OpenStorage): void {
  test('lists keys as they were added, oldest first', async () => {
    const { storage, close } = await open()
    const { signingKeys } = storage.system
    assert.deepEqual(await signingKeys.list(), [])
    assert.equal(await signingKeys.add(keyOf(1)), true)
    assert.equal(await signingKeys.add(keyOf(2, t0 + 5)), true)
    assert.deepEqual(await signingKeys.list(), [keyOf(1), keyOf(2, t0 + 5)])
    await close()
  })

  test('of processes that add the first or the second key at once, one succeeds', async () => {
    const { storage, close } = await open()
    const { signingKeys } = storage.system
    for (const ordinal of [1, 2]) {
      let count = 0
      const added = await atOnce(10, () => signingKeys.add({ ...keyOf(ordinal), kid: `${ordinal}.${++count}` }))
      assert.equal(added.filter(Boolean).length, 1)
      assert.equal((await signingKeys.list()).length, ordinal)
    }
    await close()
  })

  test('adds a key only after the newest one, even when older keys are gone', async () => {
    const { storage, close } = await open()
    const { signingKeys } = storage.system
    for (const ordinal of [1, 2]) await signingKeys.add(keyOf(ordinal))
    await signingKeys.erase(t0)
    for (const ordinal of [1, 2, 4]) assert.equal(await signingKeys.add({ ...keyOf(ordinal), kid: 'slow' }), false)
    assert.deepEqual(await signingKeys.list(), [keyOf(2)])
    await close()
  })

  test('replaceAll withdraws all keys for a new one, also when called at once', async () => {
    const { storage, dump, close } = await open()
    const { signingKeys } = storage.system
    for (const ordinal of [1, 2]) await signingKeys.add(keyOf(ordinal))
    const { ordinal: _, ...fresh } = { ...keyOf(3, t0 + 9), createdAt: t0 + 9 }
    await signingKeys.replaceAll(fresh)
    assert.deepEqual(await signingKeys.list(), [{ ...fresh, ordinal: 3 }])
    const retired = (await dump())['signing_keys']?.map(({ ordinal, retired_at }) => [ordinal, retired_at]).sort()
    assert.deepEqual(retired, [
      [1, t0 + 9],
      [2, t0 + 9],
      [3, null],
    ])
    let count = 0
    await atOnce(5, () => signingKeys.replaceAll({ ...fresh, kid: `at once ${++count}` }))
    assert.deepEqual(
      (await signingKeys.list()).map(({ ordinal }) => ordinal),
      [8],
    )
    await close()
  })

  test('erases a key once a newer one signed by then, and not while the newer one does not sign yet', async () => {
    const { storage, close } = await open()
    const { signingKeys } = storage.system
    const ordinals = async (before: number) => {
      await signingKeys.erase(before)
      return (await signingKeys.list()).map(({ ordinal }) => ordinal)
    }
    for (const [ordinal, signsFrom] of [t0, t0 + 10, t0 + 20].entries()) {
      await signingKeys.add(keyOf(ordinal + 1, signsFrom))
    }
    assert.deepEqual(await ordinals(t0 + 9), [1, 2, 3])
    assert.deepEqual(await ordinals(t0 + 10), [2, 3])
    assert.deepEqual(await ordinals(t0 + 20), [3])
    assert.deepEqual(await ordinals(t0 + 1_000_000), [3])
    await close()
  })

  test('erases a withdrawn key like any other, and it keeps no other key', async () => {
    const { storage, dump, close } = await open()
    const { signingKeys } = storage.system
    await signingKeys.add(keyOf(1))
    const { ordinal: _, ...fresh } = { ...keyOf(2, t0 + 10), createdAt: t0 + 10 }
    await signingKeys.replaceAll(fresh)
    const stored = async () => (await dump())['signing_keys']?.length
    await signingKeys.erase(t0 + 9)
    assert.equal(await stored(), 2)
    await signingKeys.erase(t0 + 10)
    assert.equal(await stored(), 1)
    assert.equal((await signingKeys.list())[0]?.kid, 'key 2')
    await close()
  })
}
