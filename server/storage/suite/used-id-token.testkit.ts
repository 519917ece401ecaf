import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0 } from './samples.testkit.ts'

const end = t0 + 3_600_000

/** ID tokens can be used once. */
export function usedIdTokenTests(open: OpenStorage): void {
  test('of 64 uses of one ID token at once, one succeeds, whatever expiry each gives', async () => {
    const { storage, dump, close } = await open()
    const { usedIdTokens } = await newTenant(storage)
    const used = await atOnce(64, (index) => usedIdTokens.add('token', end + index))
    assert.equal(used.filter(Boolean).length, 1)
    assert.deepEqual(
      (await dump())['used_id_tokens']?.map(({ token_hash, expires_at }) => [token_hash, Number(expires_at)]),
      [['token', end + used.indexOf(true)]],
    )
    assert.equal(await usedIdTokens.add('token', end), false)
    assert.equal(await usedIdTokens.add('another token', end), true)
    await close()
  })

  test('the ID token of a transaction that rolls back is unused', async () => {
    const { storage, dump, close } = await open()
    const tenant = await newTenant(storage)
    const refusal = new Error('refused')
    const refused = tenant.write(async (tx) => {
      assert.equal(await tx.usedIdTokens.add('token', end), true)
      assert.equal(await tx.usedIdTokens.add('token', end), false)
      throw refusal
    })
    await assert.rejects(refused, refusal)
    assert.deepEqual((await dump())['used_id_tokens'], [])
    assert.equal(await tenant.usedIdTokens.add('token', end), true)
    await close()
  })

  test('of transactions that use one ID token at once, some of which roll back, one commits', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const outcomes = await atOnce(20, (index) =>
      tenant
        .write(async (tx) => {
          if (!(await tx.usedIdTokens.add('token', end))) return 'used before'
          if (index % 2 === 0) throw new Error('refused')
          return 'used'
        })
        .catch(({ message }) => message as string),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'used').length, 1)
    await close()
  })

  test('an ID token used at one tenant is unused at another', async () => {
    const { storage, close } = await open()
    const [one, two] = [await newTenant(storage), await newTenant(storage)]
    assert.equal(await one.usedIdTokens.add('token', end), true)
    assert.equal(await two.usedIdTokens.add('token', end), true)
    await close()
  })
}
