import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Tx, WriteConflict } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, keyOf, newTenant, profileOf, t0, userOf } from './samples.testkit.ts'

/** What `write` guarantees on every engine. */
export function transactionTests(open: OpenStorage): void {
  test('a thrown error rolls back its own transaction only', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        tenant.write(async (tx) => {
          await tx.users.add(userOf({ id: `user-${index}` }), null)
          await tx.profiles.save(profileOf({ userId: `user-${index}` }), null)
          if (index % 2 === 1) throw new Error(`no ${index}`)
          return index
        }),
      ),
    )
    for (const [index, result] of results.entries()) {
      assert.equal(result.status, index % 2 === 1 ? 'rejected' : 'fulfilled')
      assert.equal((await tenant.users.find(`user-${index}`)) === null, index % 2 === 1)
      assert.equal((await tenant.profiles.find(`user-${index}`)) === null, index % 2 === 1)
    }
    await close()
  })

  test('a returned refusal keeps what was written', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const answer = await tenant.write(async (tx) => {
      await tx.users.add(userOf({ id: 'u' }), null)
      return { refused: 'OTP_INVALID_CODE' }
    })
    assert.deepEqual(answer, { refused: 'OTP_INVALID_CODE' })
    assert.notEqual(await tenant.users.find('u'), null)
    await close()
  })

  test('a transaction reads its own writes; others never see a write that is rolled back', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    let outside: Promise<unknown> | undefined
    const failing = tenant.write(async (tx) => {
      await tx.users.add(userOf({ id: 'u' }), null)
      outside = tenant.users.find('u')
      assert.notEqual(await tx.users.find('u'), null)
      throw new Error('no')
    })
    await assert.rejects(failing, /^Error: no$/)
    assert.equal(await outside, null)
    await close()
  })

  test('a read after a resolved write sees it', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await atOnce(50, async (index) => {
      await users.add(userOf({ id: `user-${index}` }), null)
      assert.notEqual(await users.find(`user-${index}`), null)
    })
    await close()
  })

  test('runs onCommit callbacks after the commit, and drops those of attempts that roll back', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const called: string[] = []
    const failing = tenant.write(async (tx) => {
      tx.onCommit(() => called.push('of a failure'))
      throw new Error('no')
    })
    await assert.rejects(failing)
    let attempts = 0
    await tenant.write(async (tx) => {
      tx.onCommit(() => called.push(`attempt ${attempts}`))
      await tx.users.add(userOf({ id: 'u' }), null)
      if (++attempts < 3) throw new WriteConflict('again')
      assert.deepEqual(called, [])
    })
    assert.deepEqual(called, ['attempt 3'])
    await close()
  })

  test('a write conflict runs the work again with new reads, and is thrown when every attempt conflicts', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    let attempts = 0
    await tenant.write(async (tx) => {
      assert.equal(await tx.users.find('u'), null)
      await tx.users.add(userOf({ id: 'u' }), null)
      if (++attempts < 3) throw new WriteConflict('again')
    })
    assert.equal(attempts, 3)
    const endless = tenant.write(async (tx) => {
      attempts++
      await tx.users.remove('u')
      throw new WriteConflict('again and again')
    })
    await assert.rejects(endless, {
      name: 'WriteConflict',
      code: 'SERVICE_UNAVAILABLE',
      details: { retryAfterSeconds: 1 },
    })
    assert.ok(attempts < 20)
    assert.notEqual(await tenant.users.find('u'), null)
    await close()
  })

  test('throws the error of the first failed call, even if the work catches it', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const key = keyOf()
    await tenant.keys.add(key)
    const failing = tenant.write(async (tx) => {
      await Promise.allSettled([tx.keys.add(key), tx.keys.add(keyOf()), tx.keys.find(key.id)])
    })
    await assert.rejects(failing, /unique/i)
    assert.equal((await tenant.keys.list({ limit: 10, cursor: null })).length, 1)
    await close()
  })

  test('optimistic work that conflicts runs again until each piece is done once', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await tenant.profiles.save(profileOf({ userId: 'u' }), null)
    await atOnce(32, (index) =>
      tenant.writeOptimistically(async ({ profiles }) => {
        const stored = (await profiles.find('u'))!
        const values = { ...stored.values, [`field${index}`]: index }
        if (!(await profiles.save({ ...stored, values }, stored))) throw new WriteConflict('another came first')
      }),
    )
    assert.equal(Object.keys((await tenant.profiles.find('u'))?.values ?? {}).length, 32)
    await assert.rejects(
      tenant.writeOptimistically(async () => {
        throw new Error('no conflict')
      }),
      /^Error: no conflict$/,
    )
    await close()
  })

  test('optimistic work that locks a row keeps it locked until its transaction ends', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await tenant.users.add(userOf({ id: 'u' }), null)
    await atOnce(20, () =>
      tenant.writeOptimistically(async ({ users }) => {
        const locked = (await users.lock('u'))!
        const restriction = { capability: 'upload', reason: null, until: null } as const
        await users.restrict('u', { restrictions: [...locked.restrictions, restriction] }, t0)
      }),
    )
    assert.equal((await tenant.users.find('u'))?.restrictions.length, 20)
    await close()
  })

  test('32 updates of different fields at once lose none', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    await atOnce(32, (index) =>
      tenant.write(async ({ profiles }) => {
        const stored = await profiles.find('u')
        const profile = stored ?? profileOf({ userId: 'u' })
        const values = { ...profile.values, [`field${index}`]: index }
        if (!(await profiles.save({ ...profile, values }, stored))) throw new WriteConflict('another came first')
      }),
    )
    assert.equal(Object.keys((await tenant.profiles.find('u'))?.values ?? {}).length, 32)
    await close()
  })

  test('a transaction used after its end throws', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const kept = await tenant.write(async (tx): Promise<{ tx: Tx }> => ({ tx }))
    await assert.rejects(kept.tx.users.find('u'), /has ended/)
    await assert.rejects(kept.tx.users.add(userOf({ id: 'u' }), null), /has ended/)
    assert.throws(() => kept.tx.onCommit(() => {}), /has ended/)
    assert.equal(await tenant.users.find('u'), null)
    await close()
  })

  test('closing finishes queued work and rejects later work', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const queued = atOnce(10, () => tenant.users.add(userOf(), null))
    const read = tenant.users.find('u')
    const closed = Promise.all([storage.close(), storage.close()])
    await assert.rejects(tenant.users.add(userOf({ createdAt: t0 }), null), /closed/)
    assert.deepEqual(await queued, Array(10).fill(null))
    assert.equal(await read, null)
    await closed
    await assert.rejects(tenant.users.find('u'))
    await assert.rejects(storage.ping())
    await close()
  })

  test('rejects a value that a driver would bind as something else', async () => {
    const { storage, close } = await open()
    const { users, tenant } = await newTenant(storage)
    for (const wrong of [new Date(), true, undefined, Number.NaN]) {
      await assert.rejects(users.resetPassword('u', 'hash', wrong as never), /user\.resetPassword: \$4/)
    }
    await assert.rejects(tenant.update({ name: 'Acme' }, {} as never), /tenant\.update: \$5/)
    await close()
  })
}
