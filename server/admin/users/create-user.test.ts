import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cheapHasher, startTestService, type TestService } from '../../../test/support/service.ts'
import { type PasswordHasher, PasswordHasherBusy } from '../../passwords/password-hasher.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const password = 'correct horse battery'

test('creates a user with an unverified address or number, and no sign-in method without a password', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const user = await admin.createUser({ tenantId }, { email: 'ada@example.com', phone: '+33 6 12 34 56 78' })
  assert.equal(user.phone, '+33612345678')
  assert.equal(user.emailVerified, false)
  assert.equal(user.phoneVerified, false)
  assert.equal(user.guest, false)
  assert.deepEqual(user.methods, [])
  assert.deepEqual((await admin.createUser({ tenantId }, { phone: '+33612345679' })).email, null)
  const refusal = { code: 'VALIDATION_ERROR', validation: { email: 'Required' } }
  await assert.rejects(admin.createUser({ tenantId }, {}), refusal)
  await assert.rejects(admin.createUser({ tenantId }, { password }), refusal)
})

test('signs the user in with the given password', async () => {
  const { tenantId, client } = await service.addTenant()
  const user = await service.admin.createUser({ tenantId }, { email: 'ada@example.com', password })
  assert.deepEqual(user.methods, ['password'])
  const session = await client.signIn({ method: 'password', email: 'ada@example.com', password })
  assert.equal(session.user.id, user.id)
})

test('stores an address that the operator vouches for as verified: its first code signs in and removes nothing', async () => {
  const { admin } = service
  const { tenantId, client } = await service.addTenant()
  const email = 'ada@example.com'
  const ada = await admin.createUser({ tenantId }, { email, password, emailVerified: true, phone: '+33612345678' })
  assert.deepEqual([ada.emailVerified, ada.phoneVerified, ada.methods], [true, false, ['password', 'otp']])
  const bob = await admin.createUser({ tenantId }, { phone: '+33612345679', phoneVerified: true })
  assert.deepEqual([bob.emailVerified, bob.phoneVerified, bob.methods], [false, true, ['otp']])
  const claimed = await admin.createUser({ tenantId }, { email: 'eve@example.com', password, emailVerified: false })
  assert.deepEqual([claimed.emailVerified, claimed.methods], [false, ['password']])

  const proveAndSignIn = async (email: string) => {
    const { id: token } = await client.issueOtp({ scope: 'otp_signin', email })
    await client.verifyOtp({ id: token, scope: 'otp_signin', code: await service.codeOf(token) })
    return client.signIn({ method: 'otp', token })
  }
  assert.deepEqual((await proveAndSignIn(email)).user.methods, ['password', 'otp'])
  assert.equal((await client.signIn({ method: 'password', email, password })).user.phone, '+33612345678')
  // An account with an unverified address may not belong to the owner of the address.
  assert.deepEqual((await proveAndSignIn('eve@example.com')).user.methods, ['otp'])
})

test('ignores vouching for a missing address; accepts only true and false', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const user = await admin.createUser({ tenantId }, { email: 'ada@example.com', phoneVerified: true })
  assert.deepEqual([user.phone, user.phoneVerified], [null, false])
  const wrong = { email: 'bob@example.com', emailVerified: 'yes', phoneVerified: 1 }
  await assert.rejects(admin.createUser({ tenantId }, wrong as never), {
    validation: {
      emailVerified: 'Expected boolean, received string',
      phoneVerified: 'Expected boolean, received number',
    },
  })
})

test('refuses an address or number in use, but not one used at another tenant', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const { tenantId: other } = await service.addTenant()
  await admin.createUser({ tenantId }, { email: 'ada@example.com', phone: '+33612345678' })
  await assert.rejects(admin.createUser({ tenantId }, { email: 'ADA@example.com' }), {
    code: 'EMAIL_ALREADY_REGISTERED',
    status: 409,
  })
  await assert.rejects(admin.createUser({ tenantId }, { email: 'bob@example.com', phone: '+33612345678' }), {
    code: 'PHONE_ALREADY_REGISTERED',
    status: 409,
  })
  assert.equal((await admin.listUsers({ tenantId })).items.length, 1)
  await admin.createUser({ tenantId: other }, { email: 'ada@example.com', phone: '+33612345678' })
})

test('creates one user for ten concurrent requests with one address', async () => {
  const { tenantId } = await service.addTenant()
  const create = () => service.admin.createUser({ tenantId }, { email: 'ada@example.com', password })
  const results = await Promise.allSettled(Array.from({ length: 10 }, create))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await service.admin.listUsers({ tenantId })).items.length, 1)
})

test('validates the profile by the schema, including fields that clients cannot write', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  await admin.publishProfileSchema(
    { tenantId },
    {
      components: [
        { name: 'firstName', type: 'text' },
        { name: 'tags', type: 'list' },
        { name: 'plan', type: 'text', writable: false },
      ],
    },
  )
  const wrong = { firstName: '', tags: 'one', unknown: 1 }
  await assert.rejects(admin.createUser({ tenantId }, { email: 'ada@example.com', profile: wrong }), {
    code: 'VALIDATION_ERROR',
    validation: {
      'profile.firstName': 'String must contain at least 1 character(s)',
      'profile.tags': 'Expected array, received string',
    },
  })
  assert.deepEqual((await admin.listUsers({ tenantId })).items, [])
  const profile = { firstName: 'Ada', plan: 'gold', unknown: 1 }
  const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com', profile })
  const {
    id: _id,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...fields
  } = await admin.readUserProfile({ tenantId, userId })
  assert.deepEqual(fields, { firstName: 'Ada', tags: null, plan: 'gold' })
})

test('creates a profile only when one is given, even an empty one', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const none = await admin.createUser({ tenantId }, { email: 'a@example.com' })
  assert.equal((await admin.readUserProfile({ tenantId, userId: none.id })).id, null)
  const empty = await admin.createUser({ tenantId }, { email: 'b@example.com', profile: {} })
  assert.notEqual((await admin.readUserProfile({ tenantId, userId: empty.id })).id, null)
})

test('creates no profile when the address is refused', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  await admin.createUser({ tenantId }, { email: 'ada@example.com' })
  await assert.rejects(admin.createUser({ tenantId }, { email: 'ada@example.com', profile: {} }), {
    code: 'EMAIL_ALREADY_REGISTERED',
  })
  const { profiles } = service.service.services.storage.forTenant(tenantId)
  assert.deepEqual(await profiles.list({ limit: 10, cursor: null }), [])
})

test('refuses common passwords before hashing, if the tenant enables the blocklist', async () => {
  const { admin } = service
  const { hasher } = service.service.services
  const { tenantId } = await service.addTenant()
  await admin.createUser({ tenantId }, { email: 'a@example.com', password: 'password1234' })
  await admin.updateConfiguration({ tenantId }, { security: { passwordBlocklist: true } })
  const before = hasher.hashes
  const refusal = { code: 'VALIDATION_ERROR', validation: { password: 'Validation rule not met' } }
  await assert.rejects(admin.createUser({ tenantId }, { email: 'b@example.com', password: 'password1234' }), refusal)
  assert.equal(hasher.hashes, before)
})

test('answers SERVICE_UNAVAILABLE and creates no user when too many passwords wait to be hashed', async () => {
  const busy: PasswordHasher = Object.assign(Object.create(cheapHasher()), {
    hash: () => Promise.reject(new PasswordHasherBusy()),
  })
  await using own = await startTestService({ hasher: busy })
  const { tenantId } = await own.addTenant()
  const creation = own.admin.createUser({ tenantId }, { email: 'a@example.com', password })
  await assert.rejects(creation, { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 1 })
  assert.deepEqual((await own.admin.listUsers({ tenantId })).items, [])
})
