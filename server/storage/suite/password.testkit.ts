import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0, userOf } from './samples.testkit.ts'

const email = 'a@b.example'

/** Users' passwords: changes need the previous password or another proof. */
export function passwordTests(open: OpenStorage): void {
  test('resetPassword needs an existing password and verifies the address; the first time stays', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'with', email }), 'old')
    await users.add(userOf({ id: 'without', email: 'c@d.example' }), null)
    await users.add(userOf({ id: 'phone', phone: '+33100000000' }), 'old')
    assert.equal(await users.resetPassword('without', 'new', t0), false)
    assert.equal(await users.resetPassword('with', 'new', t0 + 1), true)
    assert.equal(await users.resetPassword('with', 'newer', t0 + 2), true)
    assert.equal(await users.resetPassword('phone', 'new', t0), true)
    const found = await users.findByEmail(email)
    assert.deepEqual(
      [found?.passwordHash, found?.user.emailVerifiedAt, found?.user.updatedAt],
      ['newer', t0 + 1, t0 + 2],
    )
    assert.equal((await users.find('phone'))?.emailVerifiedAt, null)
    assert.equal((await users.findByEmail('c@d.example'))?.passwordHash, null)
    await close()
  })

  test('findByEmail with `evenly` reads another user of the tenant when there is none', async () => {
    const { storage, close } = await open()
    const evenly = { evenly: true }
    const [{ users }, other] = [await newTenant(storage), await newTenant(storage)]
    assert.equal(await users.findByEmail(email, evenly), null)
    await users.add(userOf({ id: 'a', email: 'c@d.example' }), 'other hash')
    await users.add(userOf({ id: 'b', email }), 'hash')
    await users.add(userOf({ id: 'c', phone: '+33100000000' }), null)
    assert.deepEqual(await users.findByEmail(email, evenly), await users.findByEmail(email))
    assert.equal((await users.findByEmail(email, evenly))?.passwordHash, 'hash')
    assert.equal(await users.findByEmail('e@f.example', evenly), null)
    assert.equal(await other.users.findByEmail(email, evenly), null)
    await close()
  })

  test('confirmPassword and rehashPassword apply only while the verified hash is stored', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email }), 'hash')
    const hash = async () => (await users.findByEmail(email))?.passwordHash
    assert.deepEqual(await users.confirmPassword('u', 'hash'), await users.find('u'))
    assert.equal(await users.confirmPassword('u', 'other'), null)
    await users.rehashPassword('u', 'other', 'rehashed')
    assert.equal(await hash(), 'hash')
    await users.rehashPassword('u', 'hash', 'rehashed')
    assert.equal(await hash(), 'rehashed')
    await close()
  })

  test('finds fast digests that are not wrapped by tenant and user, and no other hashes', async () => {
    const { storage, close } = await open()
    const { system } = storage
    assert.equal(await system.nextFastDigests(''), null)
    const hashes = {
      ...{ '1': '$digest-md5$i=1,o=salt-first$$x', '2': '$hmac-sha512$o=salt-first$a$$x', '3': '$digest-sha1$x' },
      ...{ argon2: '$argon2id$v=19$x', bcrypt: '$2b$10$x', firebase: '$firebase-scrypt$x', pbkdf2: '$pbkdf2-sha1$x' },
      ...{ scrypt: '$scrypt$x', wrapped: '$wrapped$digest-md5$x', neither: '$a', empty: '' },
    }
    for (const id of ['T1', 'T2', 'T3']) {
      const { users } = await newTenant(storage, { id })
      if (id === 'T2') await users.add(userOf({ id: 'without' }), null)
      else for (const [user, hash] of Object.entries(hashes)) await users.add(userOf({ id: user }), hash)
    }
    const { users } = storage.forTenant('T1')
    assert.deepEqual(
      await users.fastDigests('', 2),
      ['1', '2'].map((id) => ({ id, passwordHash: hashes[id as '1'] })),
    )
    assert.deepEqual(await users.fastDigests('2', 2), [{ id: '3', passwordHash: hashes['3'] }])
    assert.equal(await system.nextFastDigests(''), 'T1')
    assert.equal(await system.nextFastDigests('T1'), 'T3')
    assert.equal(await system.nextFastDigests('T3'), null)
    for (const id of ['1', '2', '3']) await users.rehashPassword(id, hashes[id as '1'], '$wrapped$x')
    assert.deepEqual(await users.fastDigests('', 9), [])
    assert.equal(await system.nextFastDigests(''), 'T3')
    await close()
  })

  test('setPassword compares the verified hash, or sets without comparing', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const guest = userOf({ id: 'u', email, guest: true })
    await users.add(guest, null)
    assert.equal(await users.setPassword('u', 'hash', 'first', t0 + 1), false, 'there is none to be the verified one')
    assert.deepEqual(await users.findByEmail(email), { user: guest, passwordHash: null })
    assert.equal(await users.setPassword('u', null, 'first', t0 + 1), true)
    const user = { ...guest, guest: false, hasPassword: true, passwordChangedAt: t0 + 1, updatedAt: t0 + 1 }
    assert.deepEqual(await users.findByEmail(email), { user, passwordHash: 'first' })
    assert.equal(await users.setPassword('u', 'other', 'second', t0 + 2), false)
    assert.deepEqual(await users.findByEmail(email), { user, passwordHash: 'first' })
    assert.equal(await users.setPassword('u', 'first', 'second', t0 + 2), true)
    assert.equal(await users.setPassword('u', null, 'third', t0 + 3), true)
    const changed = { user: { ...user, passwordChangedAt: t0 + 3, updatedAt: t0 + 3 }, passwordHash: 'third' }
    assert.deepEqual(await users.findByEmail(email), changed)
    assert.equal(await users.setPassword('unknown', null, 'hash', t0), false)
    await close()
  })

  test('of 20 changes of one verified password at once, one applies', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email }), 'hash')
    const won = await atOnce(20, (index) => users.setPassword('u', 'hash', `hash ${index}`, t0))
    assert.equal(won.filter(Boolean).length, 1)
    assert.equal((await users.findByEmail(email))?.passwordHash, `hash ${won.indexOf(true)}`)
    await close()
  })

  test('stores the time of the last password change; a new hash of the same password leaves it unchanged', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email }), 'hash')
    assert.equal((await users.find('u'))?.passwordChangedAt, null)
    await users.setPassword('u', null, 'second', t0 + 1)
    assert.equal((await users.find('u'))?.passwordChangedAt, t0 + 1)
    await users.rehashPassword('u', 'second', 'second, stronger')
    assert.equal((await users.find('u'))?.passwordChangedAt, t0 + 1)
    await users.resetPassword('u', 'third', t0 + 2)
    assert.equal((await users.find('u'))?.passwordChangedAt, t0 + 2)
    await close()
  })

  test('a change is not older than an earlier one whose request began later', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email }), 'hash')
    await users.setAddress('u', { email: 'new@b.example' }, t0 + 9)
    const times = async () => {
      const { passwordChangedAt, phoneVerifiedAt, updatedAt } = (await users.find('u'))!
      return [passwordChangedAt, phoneVerifiedAt, updatedAt]
    }
    await users.setPassword('u', null, 'second', t0 + 1)
    await users.setAddress('u', { phone: '+33100000001' }, t0 + 2)
    assert.deepEqual(await times(), [t0 + 9, t0 + 9, t0 + 9])
    await users.unverifyAddress('u', 'phone', t0 + 3)
    await users.resetPassword('u', 'third', t0 + 4)
    await users.markVerified('u', { phone: '+33100000001' }, t0 + 5)
    assert.deepEqual(await times(), [t0 + 9, t0 + 9, t0 + 9])
    await users.setPassword('u', null, 'fourth', t0 + 10)
    assert.deepEqual(await times(), [t0 + 10, t0 + 9, t0 + 10])
    const year = 365 * 86_400_000
    await users.setPassword('u', null, 'fifth', t0 + year)
    await users.setPassword('u', null, 'sixth', t0 + 11)
    assert.deepEqual(await times(), [t0 + 11, t0 + 9, t0 + 11], 'when the clock was a year ahead it was wrong')
    await close()
  })

  test('removePassword keeps the address', async () => {
    const { storage, dump, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ id: 'u', email, emailVerifiedAt: t0 })
    await users.add(user, 'hash')
    await users.removePassword('u', t0 + 1)
    assert.deepEqual(await users.findByEmail(email), { user: { ...user, updatedAt: t0 + 1 }, passwordHash: null })
    const before = await dump()
    await users.removePassword('unknown', t0 + 2)
    assert.deepEqual(await dump(), before)
    await close()
  })
}
