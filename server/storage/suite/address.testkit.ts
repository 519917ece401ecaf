import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from '../../accounts/user.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, t0, userOf } from './samples.testkit.ts'

const email = 'a@b.example'
const phone = '+33100000000'

/** Users' addresses: who has them, and whether they are verified. */
export function addressTests(open: OpenStorage): void {
  test('an address belongs to one user within its tenant and is free in other tenants', async () => {
    const { storage, close } = await open()
    const [{ users }, other] = [await newTenant(storage), await newTenant(storage)]
    const user = userOf({ email, phone })
    assert.equal(await users.add(user, null), null)
    assert.equal(await users.add(userOf({ email }), null), 'email')
    assert.equal(await users.add(userOf({ phone }), null), 'phone')
    assert.equal(await users.add(userOf({ email, phone }), null), 'email')
    assert.equal(await other.users.add(user, null), null)
    assert.equal(await users.add(userOf({ guest: true }), null), null)
    assert.equal(await users.add(userOf({ guest: true }), null), null)
    await assert.rejects(users.add(userOf({ id: user.id }), null), /a concurrent transaction added user/)
    const taken = await atOnce(20, () => users.add(userOf({ email: 'race@b.example' }), null))
    assert.equal(taken.filter((answer) => answer === null).length, 1)
    await close()
  })

  test('markVerified needs the user’s current address, keeps the first time, and makes a guest a full user', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ id: 'u', email, phone, guest: true })
    await users.add(user, null)
    assert.equal(await users.markVerified('u', { email: 'other@b.example' }, t0 + 1), false)
    assert.equal(await users.markVerified('u', { phone: '+33100000001' }, t0 + 1), false)
    assert.deepEqual(await users.find('u'), user)
    assert.equal(await users.markVerified('u', { email }, t0 + 1), true)
    const proven = { ...user, guest: false, emailVerifiedAt: t0 + 1, updatedAt: t0 + 1 }
    assert.deepEqual(await users.find('u'), proven)
    assert.equal(await users.markVerified('u', { phone }, t0 + 2), true)
    assert.equal(await users.markVerified('u', { email }, t0 + 3), true)
    assert.deepEqual(await users.find('u'), { ...proven, phoneVerifiedAt: t0 + 2, updatedAt: t0 + 3 })
    await close()
  })

  test('setAddress verifies the address and makes a guest a full user; a taken address changes nothing', async () => {
    const { storage, dump, close } = await open()
    const { users } = await newTenant(storage)
    const guest = userOf({ id: 'u', guest: true })
    await users.add(guest, null)
    await users.add(userOf({ email: 'taken@b.example', phone: '+33100000001' }), null)
    assert.equal(await users.setAddress('u', { email }, t0 + 1), true)
    const withEmail = { ...guest, guest: false, email, emailVerifiedAt: t0 + 1, updatedAt: t0 + 1 }
    assert.deepEqual(await users.find('u'), withEmail)
    assert.equal(await users.setAddress('u', { phone }, t0 + 2), true)
    assert.deepEqual(await users.find('u'), { ...withEmail, phone, phoneVerifiedAt: t0 + 2, updatedAt: t0 + 2 })
    const before = await dump()
    assert.equal(await users.setAddress('u', { email: 'taken@b.example' }, t0 + 3), false)
    assert.equal(await users.setAddress('u', { phone: '+33100000001' }, t0 + 3), false)
    assert.equal(await users.setAddress('unknown', { email: 'free@b.example' }, t0 + 3), false)
    assert.deepEqual(await dump(), before)
    await close()
  })

  test('setAddress keeps the time of an address that is verified, and takes the given time for another', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email, emailVerifiedAt: t0 - 5 }), null)
    const verifiedAt = async () => (await users.find('u'))?.emailVerifiedAt
    await users.setAddress('u', { email }, t0 + 1)
    assert.equal(await verifiedAt(), t0 - 5)
    await users.setAddress('u', { email: 'restored@b.example' }, t0 + 2, t0 - 9)
    assert.equal(await verifiedAt(), t0 - 9)
    await close()
  })

  test('setAddress accepts the user’s own address, replaces it with another, and frees the old one', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email, phone }), 'hash')
    assert.equal(await users.setAddress('u', { email }, t0 + 1), true)
    assert.equal((await users.find('u'))?.emailVerifiedAt, t0 + 1)
    assert.equal(await users.setAddress('u', { email: 'new@b.example' }, t0 + 2), true)
    assert.equal(await users.setAddress('u', { phone: '+33100000001' }, t0 + 2), true)
    const moved = await users.findByEmail('new@b.example')
    assert.deepEqual([moved?.user.phone, moved?.passwordHash], ['+33100000001', 'hash'])
    assert.equal(await users.findByEmail(email), null)
    assert.equal(await users.add(userOf({ email, phone }), null), null)
    await close()
  })

  test('unverifyAddress keeps the address, which can be verified again; an unknown id changes nothing', async () => {
    const { storage, dump, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ id: 'u', email, emailVerifiedAt: t0, phone, phoneVerifiedAt: t0 })
    await users.add(user, null)
    await users.unverifyAddress('u', 'email', t0 + 1)
    const withoutEmail = { ...user, emailVerifiedAt: null, updatedAt: t0 + 1 }
    assert.deepEqual(await users.find('u'), withoutEmail)
    await users.unverifyAddress('u', 'phone', t0 + 2)
    assert.deepEqual(await users.find('u'), { ...withoutEmail, phoneVerifiedAt: null, updatedAt: t0 + 2 })
    assert.equal(await users.markVerified('u', { email }, t0 + 3), true)
    assert.equal((await users.find('u'))?.emailVerifiedAt, t0 + 3)
    const before = await dump()
    await users.unverifyAddress('unknown', 'email', t0 + 4)
    assert.deepEqual(await dump(), before)
    await close()
  })

  test('claimEmail sets an unverified address, keeps a verified one verified, and rejects a taken one', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    const guest = userOf({ id: 'u', guest: true })
    await users.add(guest, null)
    await users.add(userOf({ email: 'taken@b.example' }), null)
    assert.equal(await users.claimEmail('u', 'taken@b.example', t0 + 1), false)
    assert.deepEqual(await users.find('u'), guest)
    assert.equal(await users.claimEmail('u', email, t0 + 1), true)
    const claimed = { ...guest, guest: false, email, updatedAt: t0 + 1 }
    assert.deepEqual(await users.find('u'), claimed)
    await users.markVerified('u', { email }, t0 + 2)
    assert.equal(await users.claimEmail('u', email, t0 + 3), true)
    assert.deepEqual(await users.find('u'), { ...claimed, emailVerifiedAt: t0 + 2, updatedAt: t0 + 3 })
    assert.equal(await users.claimEmail('u', 'new@b.example', t0 + 4), true)
    assert.deepEqual(await users.find('u'), { ...claimed, email: 'new@b.example', updatedAt: t0 + 4 })
    assert.equal(await users.claimEmail('unknown', 'free@b.example', t0), false)
    await close()
  })

  for (const [name, address] of Object.entries<Address>({ 'e-mail address': { email }, 'phone number': { phone } })) {
    test(`of 20 users who set or claim one ${name} at once, one gets it`, async () => {
      const { storage, dump, close } = await open()
      const { users } = await newTenant(storage)
      await atOnce(20, (index) => users.add(userOf({ id: `user-${index}` }), null))
      const won = await atOnce(20, (index) =>
        index % 2 === 1 && 'email' in address
          ? users.claimEmail(`user-${index}`, address.email, t0)
          : users.setAddress(`user-${index}`, address, t0),
      )
      assert.equal(won.filter(Boolean).length, 1)
      const holders = (await dump())['users']!.filter((row) => row['email'] !== null || row['phone'] !== null)
      assert.deepEqual(
        holders.map(({ id }) => id),
        [`user-${won.indexOf(true)}`],
      )
      await close()
    })
  }

  test('takeAddress removes an unverified address and keeps the password; a verified address stays', async () => {
    const { storage, close } = await open()
    const { users } = await newTenant(storage)
    await users.add(userOf({ id: 'u', email, phone, phoneVerifiedAt: t0 }), 'hash')
    assert.equal(await users.takeAddress('u', { email: 'other@example.com' }, t0 + 1), false)
    assert.equal(await users.takeAddress('u', { phone }, t0 + 1), false)
    assert.equal(await users.takeAddress('u', { email }, t0 + 1), true)
    const user = await users.find('u')
    assert.deepEqual([user?.email, user?.phone, user?.hasPassword], [null, phone, true])
    await close()
  })

  test('removing the e-mail address removes the password; removing the phone number does not', async () => {
    const { storage, dump, close } = await open()
    const { users } = await newTenant(storage)
    const user = userOf({ id: 'u', email, emailVerifiedAt: t0, phone, phoneVerifiedAt: t0 })
    await users.add(user, 'hash')
    await users.removeAddress('u', 'phone', t0 + 1)
    const withoutPhone = { ...user, hasPassword: true, phone: null, phoneVerifiedAt: null, updatedAt: t0 + 1 }
    assert.deepEqual(await users.findByEmail(email), { user: withoutPhone, passwordHash: 'hash' })
    await users.removeAddress('u', 'email', t0 + 2)
    const without = { ...withoutPhone, hasPassword: false, email: null, emailVerifiedAt: null, updatedAt: t0 + 2 }
    assert.deepEqual(await users.find('u'), without)
    assert.equal(await users.confirmPassword('u', 'hash'), null)
    assert.equal(await users.add(userOf({ email, phone }), null), null)
    const before = await dump()
    await users.removeAddress('unknown', 'email', t0)
    assert.deepEqual(await dump(), before)
    await close()
  })
}
