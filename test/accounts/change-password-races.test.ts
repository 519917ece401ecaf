import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type HashCaller, type PasswordHasher, PasswordHasherBusy } from '../../server/passwords/password-hasher.ts'
import { createBarrier, tally } from '../campaign/races/barrier.ts'
import { seededRandom } from '../campaign/seeded-random.ts'
import { changesNothing, storedOtp, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, enteredCode, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

const newPassword = 'battery staple'
/** Replaces one call of the hasher. */
let insteadOfHash: (() => Promise<void>) | null = null
let insteadOfVerify: (() => Promise<void>) | null = null
/** The statement that fails, in the repetition of a transaction too. */
let broken: string | null = null
let failures = 0
let service: TestService
let tenant: TestTenant

const cheap = cheapHasher()
const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
  async hash(password: string, caller: HashCaller) {
    const instead = insteadOfHash
    insteadOfHash = null
    await instead?.()
    return cheap.hash(password, caller)
  },
  async verify(phc: string, password: string, caller: HashCaller) {
    const instead = insteadOfVerify
    insteadOfVerify = null
    await instead?.()
    return cheap.verify(phc, password, caller)
  },
})
const hooks = {
  onStatement(name: string) {
    if (name !== broken) return
    failures++
    throw new Error('the disk was pulled')
  },
}

before(async () => {
  service = await startTestService({ hasher, hooks, limitsText: 'all=off,failed-passwords=10/15m' })
  tenant = await service.addTenant()
})
after(() => service.close())

const busy = () => Promise.reject(new PasswordHasherBusy())

async function passwordIs(person: Person, password: string): Promise<void> {
  assert.equal((await person.signIn(password)).user.id, person.userId)
  const other = password === newPassword ? person.password : newPassword
  await refused(person.signIn(other), 'INVALID_CREDENTIALS')
}

const noticesTo = ({ userId }: { userId: string }) =>
  storedRows(service, "SELECT * FROM outbox WHERE kind = 'password_changed' AND user_id = ? ORDER BY id", userId)

for (const statement of ['user.setPassword', 'session.revokeAllOf', 'otp.cancelLive', 'message.add']) {
  test(`changes nothing when ${statement} fails, and everything when retried`, async () => {
    const person = await addPerson(service, tenant)
    await writeStored(service, 'UPDATE users SET email_verified_at = 1 WHERE id = ?', person.userId)
    const [client, other] = [await person.client(), await person.client()]
    const { id } = await person.issue('reset_password')
    const change = () => client.changePassword({ currentPassword: person.password, password: newPassword })
    await changesNothing(service, async () => {
      broken = statement
      failures = 0
      await refused(change(), 'INTERNAL_SERVER')
      assert.ok(failures > 0)
      broken = null
    })
    await other.getAccount()
    await change()
    assert.equal(noticesTo(person).length, 1)
    assert.equal(storedOtp(service, id)['state'], 'cancelled')
    await refused(other.getAccount(), 'INVALID_USER_TOKEN')
  })
}

/** A client of a user who signs in with a phone number and has no password. */
async function byPhone() {
  const open = await addOpenTenant(service)
  const client = open.client.withSession((await signInByCode(service, open, { phone: newPhone() })).accessToken)
  const addEmail = async (email: string) => {
    await client.addIdentity({ method: 'otp', token: await enteredCode(service, open, { email }) })
  }
  return { client, addEmail }
}

test('stores no password for an account whose address was removed while it was hashed (ACCOUNT-1)', async () => {
  const { client, addEmail } = await byPhone()
  await addEmail(newEmail())
  insteadOfHash = async () => void (await client.removeIdentity({ identityId: 'email' }))
  await refused(client.changePassword({ password: newPassword }), 'EMAIL_NOT_SET')
  assert.deepEqual((await client.getAccount()).methods, ['otp'])
})

test('stores no password with another address than the named one, gained while it was hashed', async () => {
  const { client, addEmail } = await byPhone()
  insteadOfHash = () => addEmail(newEmail())
  const link = client.addIdentity({ method: 'password', password: newPassword, email: newEmail() })
  await invalid(link, { email: 'Validation rule not met' })
  assert.deepEqual((await client.getAccount()).methods, ['otp'])
})

test('answers SERVICE_UNAVAILABLE while too many passwords wait to be hashed; nothing changes or counts', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const change = () => client.changePassword({ currentPassword: person.password, password: newPassword })
  await changesNothing(service, async () => {
    for (let count = 0; count < 11; count++) {
      insteadOfVerify = busy
      const { retryAfter } = await refused(change(), 'SERVICE_UNAVAILABLE')
      assert.equal(retryAfter, 1)
    }
    insteadOfHash = busy
    await refused(change(), 'SERVICE_UNAVAILABLE')
  })
  await change()
  await passwordIs(person, newPassword)
})

test('one of concurrent changes with the same current password wins, with one notice', async () => {
  const barrier = createBarrier(service.baseUrl)
  for (let round = 0; round < 5; round++) {
    const person = await addPerson(service, tenant)
    await writeStored(service, 'UPDATE users SET email_verified_at = 1 WHERE id = ?', person.userId)
    const token = (await person.signIn()).accessToken
    const changes = Array.from({ length: 8 }, (_, index) => `password number ${index}`)
    const shots = changes.map((password) => ({
      line: 'POST /account/password',
      key: tenant.key,
      token,
      body: { currentPassword: person.password, password },
    }))
    const hits = await barrier.fire(shots, seededRandom(20260115, 'change-password', round))
    assert.deepEqual(tally(hits), { 201: 1, INVALID_CREDENTIALS: 7 })
    await person.signIn(changes[hits.findIndex(({ outcome }) => outcome === '201')])
    assert.equal(noticesTo(person).length, 1)
  }
  barrier.close()
})

test('a session that is revoked while its new password is hashed changes nothing', async () => {
  const person = await addPerson(service, tenant)
  const [own, stolen] = [await person.client(), await person.client()]
  const hashing = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  insteadOfHash = () => {
    hashing.resolve()
    return goOn.promise
  }
  const late = stolen.changePassword({ password: 'the password of a attacker' })
  await hashing.promise
  await own.changePassword({ currentPassword: person.password, password: newPassword })
  await changesNothing(service, async () => {
    goOn.resolve()
    await refused(late, 'INVALID_USER_TOKEN')
  })
  await passwordIs(person, newPassword)
})

test('a concurrent sign-in with the old password keeps no session', async () => {
  const barrier = createBarrier(service.baseUrl)
  for (let round = 0; round < 5; round++) {
    const person = await addPerson(service, tenant)
    const token = (await person.signIn()).accessToken
    const [key, email, currentPassword] = [tenant.key, person.email, person.password]
    const change = { line: 'POST /account/password', key, token, body: { currentPassword, password: newPassword } }
    const signIn = { line: 'POST /auth/sign-in', key, body: { method: 'password', email, password: currentPassword } }
    const shots = [change, ...Array.from({ length: 8 }, () => signIn)]
    const [changed, ...entered] = await barrier.fire(shots, seededRandom(20260115, 'old-password', round))
    assert.equal(changed!.outcome, '201')
    for (const { outcome } of entered) assert.ok(['201', 'INVALID_CREDENTIALS'].includes(outcome), outcome)
    const { sessions } = await tenant.client.withSession(token).listSessions()
    assert.deepEqual(
      sessions.map(({ current }) => current),
      [true],
    )
  }
  barrier.close()
})

test('sets no password for a user who is deleted while it is hashed', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  insteadOfHash = async () => {
    await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  }
  await refused(client.changePassword({ password: newPassword }), 'TOKEN_USER_NOT_FOUND')
  assert.deepEqual(noticesTo(person), [])
  await refused(person.signIn(newPassword), 'INVALID_CREDENTIALS')
})

test('sets no password for a user who is suspended while it is hashed', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const user = { tenantId: tenant.tenantId, userId: person.userId }
  insteadOfHash = async () => void (await service.admin.updateUser(user, { suspension: {} }))
  await refused(client.changePassword({ password: newPassword }), 'RESTRICTED_CAPABILITY')
  await service.admin.updateUser(user, { suspension: null })
  await passwordIs(person, person.password)
})

test('changes the password without a notice where no e-mail can be sent', async () => {
  const transport = { canDeliver: () => false, deliver: () => Promise.reject(new Error('nothing is delivered here')) }
  await using own = await startTestService({ transport })
  const person = await addPerson(own, await own.addTenant())
  await (await person.client()).changePassword({ password: newPassword })
  assert.deepEqual(storedRows(own, 'SELECT * FROM outbox'), [])
  await person.signIn(newPassword)
})
