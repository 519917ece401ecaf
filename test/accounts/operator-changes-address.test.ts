import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliveredTo } from '../support/notices.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('replaces an address as verified and notifies the previous one without an undo code', async () => {
  const { tenantId, client } = await service.addTenant()
  const made = await service.admin.createUser(
    { tenantId },
    { email: 'old@example.com', emailVerified: true, password: 'correct horse' },
  )
  const path = { tenantId, userId: made.id }
  const changed = await service.admin.updateUser(path, { email: 'New@example.com' })
  assert.deepEqual([changed.email, changed.emailVerified], ['new@example.com', true])
  await client.signIn({ method: 'password', email: 'new@example.com', password: 'correct horse' })
  await refused(
    client.signIn({ method: 'password', email: 'old@example.com', password: 'correct horse' }),
    'INVALID_CREDENTIALS',
  )
  const notices = (await deliveredTo(service, tenantId)).map(({ recipient, code, otpId }) => [recipient, code, otpId])
  assert.deepEqual(notices, [['old@example.com', null, null]])
})

test('verifies the present address without a notice', async () => {
  const { tenantId } = await service.addTenant()
  const made = await service.admin.createUser({ tenantId }, { email: 'ada@example.com', phone: '+33612345678' })
  const path = { tenantId, userId: made.id }
  const changed = await service.admin.updateUser(path, { email: 'ada@example.com', phone: '+33612345678' })
  assert.deepEqual([changed.emailVerified, changed.phoneVerified], [true, true])
  assert.deepEqual(await deliveredTo(service, tenantId), [])
})

test('changes nothing if one of the addresses is taken', async () => {
  const { tenantId } = await service.addTenant()
  await service.admin.createUser({ tenantId }, { email: 'taken@example.com', phone: '+33612345678' })
  const made = await service.admin.createUser({ tenantId }, { email: 'ada@example.com', emailVerified: true })
  const path = { tenantId, userId: made.id }
  const suspension = { reason: 'x' }
  await refused(
    service.admin.updateUser(path, { email: 'new@example.com', phone: '+33612345678', suspension }),
    'PHONE_ALREADY_REGISTERED',
  )
  await refused(service.admin.updateUser(path, { email: 'taken@example.com' }), 'EMAIL_ALREADY_REGISTERED')
  assert.deepEqual(await service.admin.getUser(path), made)
  assert.deepEqual(await deliveredTo(service, tenantId), [])
  const unknown = { tenantId, userId: '01M7YRQNCSESKNDNW73532ZP9R' }
  await refused(service.admin.updateUser(unknown, { email: 'free@example.com' }), 'USER_NOT_FOUND')
})

test('cancels the codes that were sent before', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: person.email })
  const code = await service.codeOf(id)
  await service.admin.updateUser({ tenantId: tenant.tenantId, userId: person.userId }, { email: 'n@example.com' })
  await refused(tenant.client.verifyOtp({ id, scope: 'reset_password', code }), 'OTP_NOT_PENDING')
})

test('makes a guest a full user and ends the sessions of its device', async () => {
  const { tenantId, client } = await service.addTenant({ methods: ['guest', 'otp'] })
  const { user, refreshToken } = await client.signIn({ method: 'guest' })
  const changed = await service.admin.updateUser({ tenantId, userId: user.id }, { email: 'ada@example.com' })
  assert.deepEqual([changed.guest, changed.methods], [false, ['otp']])
  await refused(client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
})
