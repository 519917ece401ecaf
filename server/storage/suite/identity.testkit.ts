import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Identity } from '../../accounts/identity.ts'
import type { User } from '../../accounts/user.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, identityOf, keyOf, newTenant, sessionOf, t0, userOf } from './samples.testkit.ts'

/** Sorted, because engines return them in any order. */
const idsOf = (identities: readonly Identity[]) => identities.map(({ id }) => id).sort()

/** Users' accounts at providers. */
export function identityTests(open: OpenStorage): void {
  test('a provider’s account belongs to one user of its tenant; the same subject at another provider is another account', async () => {
    const { storage, close } = await open()
    const [{ identities }, other] = [await newTenant(storage), await newTenant(storage)]
    const identity = identityOf({ email: 'a@b.example' })
    const { provider, subject } = identity
    assert.equal(await identities.add(identity), true)
    assert.equal(await identities.add(identityOf({ subject })), false)
    assert.equal(await identities.add(identityOf({ subject, userId: identity.userId })), false)
    assert.deepEqual(await identities.find(provider, subject), identity)
    assert.equal(await identities.find('apple', subject), null)
    const atApple = identityOf({ provider: 'apple', subject })
    assert.equal(await identities.add(atApple), true)
    assert.deepEqual(await identities.find('apple', subject), atApple)
    assert.deepEqual(await identities.find(provider, subject), identity)
    assert.equal(await identities.find(provider, 'unknown'), null)
    assert.equal(await other.identities.find(provider, subject), null)
    assert.equal(await other.identities.add(identity), true)
    await close()
  })

  test('of 20 users who link one provider’s account at once, one gets it', async () => {
    const { storage, dump, close } = await open()
    const { identities } = await newTenant(storage)
    const rivals = Array.from({ length: 20 }, () => identityOf({ subject: 'subject' }))
    const won = await Promise.all(rivals.map((rival) => identities.add(rival)))
    assert.equal(won.filter(Boolean).length, 1)
    assert.deepEqual(await identities.find('google', 'subject'), rivals[won.indexOf(true)])
    assert.equal((await dump())['identities']?.length, 1)
    await close()
  })

  test('lists a user’s identities oldest first, and those of a range of users for exports', async () => {
    const { storage, close } = await open()
    const { identities } = await newTenant(storage)
    const second = identityOf({ id: 'second', userId: 'b', createdAt: t0 + 1 })
    const first = identityOf({ id: 'first', userId: 'b', provider: 'apple' })
    const others = ['a', 'c', 'd'].map((userId) => identityOf({ id: `of ${userId}`, userId }))
    for (const identity of [second, first, ...others]) await identities.add(identity)
    assert.deepEqual(await identities.listOf('b'), [first, second])
    assert.deepEqual(await identities.listOf('unknown'), [])
    assert.deepEqual(idsOf(await identities.listBetween('b', 'c')), ['first', 'of c', 'second'])
    assert.deepEqual(idsOf(await identities.listBetween('a', 'a')), ['of a'])
    assert.deepEqual(idsOf(await identities.listBetween('bb', 'bz')), [])
    await close()
  })

  test('touch stores the time of a sign-in and the provider’s current address', async () => {
    const { storage, close } = await open()
    const { identities } = await newTenant(storage)
    const [identity, other] = [identityOf({ email: 'old@b.example' }), identityOf()]
    for (const one of [identity, other]) await identities.add(one)
    const found = () => identities.find(identity.provider, identity.subject)
    assert.equal(await identities.touch(identity.id, 'new@b.example', t0 + 5), true)
    assert.deepEqual(await found(), { ...identity, email: 'new@b.example', lastUsedAt: t0 + 5 })
    await identities.touch(identity.id, null, t0 + 6)
    assert.deepEqual(await found(), { ...identity, email: null, lastUsedAt: t0 + 6 })
    assert.deepEqual(await identities.find(other.provider, other.subject), other)
    await identities.remove(identity.userId, identity.id)
    assert.equal(await identities.touch(identity.id, null, t0 + 7), false)
    await close()
  })

  test('removes one identity or all identities of a user, and frees their accounts', async () => {
    const { storage, close } = await open()
    const { identities } = await newTenant(storage)
    const [one, two, third] = [1, 2, 3].map(() => identityOf({ userId: 'u' })) as [Identity, Identity, Identity]
    const other = identityOf({ userId: 'other' })
    for (const identity of [one, two, third, other]) await identities.add(identity)
    assert.equal(await identities.remove('other', one.id), false)
    assert.equal(await identities.remove('u', 'unknown'), false)
    const removed = await atOnce(5, () => identities.remove('u', one.id))
    assert.equal(removed.filter(Boolean).length, 1)
    assert.deepEqual(idsOf(await identities.listOf('u')), [two.id, third.id].sort())
    assert.equal(await identities.add(identityOf({ subject: one.subject })), true)
    await identities.removeAllOf('u')
    assert.deepEqual(await identities.listOf('u'), [])
    assert.deepEqual(await identities.listOf('other'), [other])
    await close()
  })

  test('every read of a user returns the providers of the identities, each once', async () => {
    const { storage, close } = await open()
    const { users, identities, keys, sessions } = await newTenant(storage)
    const user = userOf({ id: 'u', email: 'a@b.example', phone: '+33100000000' })
    const [key, session] = [keyOf(), sessionOf({ userId: 'u' })]
    await users.add(user, null)
    await users.add(userOf({ id: 'other' }), null)
    await keys.add(key)
    await sessions.add(session, { refreshHash: 'refresh', amr: [] }, { userAgent: null, network: '' })
    const readings: Record<string, () => Promise<User | null | undefined>> = {
      find: () => users.find('u'),
      lock: () => users.lock('u'),
      findByEmail: async () => (await users.findByEmail('a@b.example'))?.user,
      findByPhone: () => users.findByPhone('+33100000000'),
      list: async () => (await users.list({ limit: 9, cursor: null, idPrefix: 'u' }))[0],
      listCredentials: async () => (await users.listCredentials({ limit: 9, cursor: 'other' }))[0]?.user,
      restrict: () => users.restrict('u', {}, t0),
      record: async () => (await storage.callerRecord(key.id, session.id))?.user,
    }
    const providersAre = async (expected: readonly string[]) => {
      for (const [name, read] of Object.entries(readings)) {
        const found = await read()
        assert.deepEqual(found, { ...user, providers: expected }, name)
      }
    }
    await providersAre([])
    const added = (['google', 'apple', 'google'] as const).map((provider) => identityOf({ userId: 'u', provider }))
    for (const identity of [...added, identityOf({ userId: 'other', provider: 'facebook' })]) {
      await identities.add(identity)
    }
    await providersAre(['apple', 'google'])
    await identities.remove('u', added[0]!.id)
    await identities.remove('u', added[1]!.id)
    await providersAre(['google'])
    await identities.removeAllOf('u')
    await providersAre([])
    await close()
  })
}
