import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../../../test/support/databases/stored-rows.ts'
import { addPerson } from '../../../test/support/person.ts'
import { invalid, refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const password = 'correct horse battery'

test('refuses a restricted capability from the next call on, until it is allowed again', async () => {
  const { admin } = service
  const { tenantId, client } = await service.addTenant()
  const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com', password })
  const signIn = () => client.signIn({ method: 'password', email: 'ada@example.com', password })
  await signIn()
  const restricted = await admin.updateUser(
    { tenantId, userId },
    { restrictedCapabilities: ['sign_in', 'sign_in', 'upload'] },
  )
  assert.deepEqual(restricted.restrictedCapabilities, ['sign_in', 'upload'])
  await assert.rejects(signIn(), { code: 'RESTRICTED_CAPABILITY' })
  assert.deepEqual(await admin.updateUser({ tenantId, userId }, {}), restricted)
  await admin.updateUser({ tenantId, userId }, { restrictedCapabilities: [] })
  await signIn()
})

test('refuses every call of a suspended user from the next one on, until the suspension is lifted', async () => {
  const { admin } = service
  const tenant = await service.addTenant()
  const { client } = tenant
  const person = await addPerson(service, tenant)
  const path = { tenantId: tenant.tenantId, userId: person.userId }
  const { accessToken, refreshToken } = await person.signIn()
  const code = await person.verified('otp_signin')
  const suspended = await admin.updateUser(path, { suspension: { reason: 'spam' } })
  assert.deepEqual(suspended.suspension, { reason: 'spam', until: null })
  assert.deepEqual(await admin.getUser(path), suspended)
  const own = client.withSession(accessToken)
  await changesNothing(service, async () => {
    const calls = [
      () => own.getAccount(),
      () => own.listSessions(),
      () => own.updateProfile({}),
      () => own.deleteAccount(),
      () => own.signOut({ scope: 'all' }),
      () => own.changePassword({ password: 'another password' }),
      () => own.issueOtp({ scope: 'email_verification' }),
      () => client.refreshSession({ refreshToken }),
      () => client.signIn({ method: 'otp', token: code }),
      () => person.signIn(),
    ]
    for (const call of calls) await refused(call(), 'RESTRICTED_CAPABILITY')
    await refused(person.signIn('a wrong password'), 'INVALID_CREDENTIALS')
  })
  assert.deepEqual(await admin.updateUser(path, {}), suspended)
  const restricted = await admin.updateUser(path, { restrictedCapabilities: ['upload'] })
  assert.deepEqual(restricted.suspension, suspended.suspension)
  assert.equal((await admin.updateUser(path, { suspension: null })).suspension, null)
  await own.getAccount()
  await client.refreshSession({ refreshToken })
  await person.signIn()
})

test('expires suspensions and restrictions to the millisecond', async () => {
  const { admin, clock } = service
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const path = { tenantId: tenant.tenantId, userId: person.userId }
  const own = await person.client()
  const until = new Date(clock.now() + 5_000).toISOString()
  const later = new Date(clock.now() + 10_000).toISOString()
  await admin.updateUser(path, {
    suspension: { until },
    restrictions: [
      { capability: 'profile_update', reason: 'rude words', until: later },
      { capability: 'upload', until: null },
    ],
  })
  clock.advance(4_999)
  await refused(own.getAccount(), 'RESTRICTED_CAPABILITY')
  clock.advance(1)
  await own.getAccount()
  assert.equal((await admin.getUser(path)).suspension, null)
  await refused(own.updateProfile({}), 'RESTRICTED_CAPABILITY')
  clock.advance(4_999)
  await refused(own.updateProfile({}), 'RESTRICTED_CAPABILITY')
  assert.deepEqual((await admin.getUser(path)).restrictedCapabilities, ['profile_update', 'upload'])
  clock.advance(1)
  await own.updateProfile({})
  const user = await admin.getUser(path)
  assert.deepEqual(user.restrictedCapabilities, ['upload'])
  assert.deepEqual(user.restrictions, [{ capability: 'upload', reason: null, until: null }])
})

test('accepts capabilities as restrictions without reason and end; the last restriction of a capability counts', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
  const update = (changes: Parameters<typeof admin.updateUser>[1]) => admin.updateUser({ tenantId, userId }, changes)
  const bare = await update({ restrictedCapabilities: ['sign_in'] })
  assert.deepEqual(bare.restrictions, [{ capability: 'sign_in', reason: null, until: null }])
  const twice = await update({
    restrictions: [
      { capability: 'upload', reason: 'first' },
      { capability: 'upload', reason: 'second' },
    ],
  })
  assert.deepEqual(twice.restrictions, [{ capability: 'upload', reason: 'second', until: null }])
  assert.deepEqual((await update({ restrictions: [] })).restrictions, [])
})

test('reports each invalid field of a restriction, and changes nothing', async () => {
  const { admin } = service
  const { tenantId } = await service.addTenant()
  const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
  const update = (changes: object) => admin.updateUser({ tenantId, userId }, changes)
  await changesNothing(service, async () => {
    await invalid(update({ restrictedCapabilities: [], restrictions: [] }), { restrictions: 'Validation rule not met' })
    await invalid(update({ restrictions: [{}, { capability: 'everything' }] }), {
      'restrictions.0.capability': 'Required',
      'restrictions.1.capability': 'Invalid enum value',
    })
    await invalid(update({ restrictions: [{ capability: 'upload', until: 'tomorrow', reason: 'x'.repeat(501) }] }), {
      'restrictions.0.until': 'Validation rule not met',
      'restrictions.0.reason': 'String must contain at most 500 character(s)',
    })
    await invalid(update({ suspension: { until: '2026-02-30T12:00:00.000Z', reason: '' } }), {
      'suspension.until': 'Validation rule not met',
      'suspension.reason': 'String must contain at least 1 character(s)',
    })
    await invalid(update({ suspension: true }), { suspension: 'Expected object, received boolean' })
    await invalid(update({ suspension: { until: 1768478400000 } }), {
      'suspension.until': 'Expected string, received number',
    })
  })
})

test('refuses a suspension or restriction that has ended already, and records nothing', async () => {
  const { tenantId } = await service.addTenant()
  const { id: userId } = await service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
  const until = new Date(service.clock.now()).toISOString()
  const restrictions = [{ capability: 'upload' as const }, { capability: 'sign_in' as const, until }]
  await changesNothing(service, () =>
    invalid(service.admin.updateUser({ tenantId, userId }, { suspension: { until }, restrictions }), {
      'suspension.until': 'Must be in the future',
      'restrictions.1.until': 'Must be in the future',
    }),
  )
})
