import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { changesNothing, storedBytes, storedOtp, storedRow, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema(
    { tenantId: tenant.tenantId },
    {
      components: [
        { name: 'firstName', type: 'text' },
        { name: 'level', type: 'integer', writable: false },
      ],
      forms: { signUp: { fields: ['firstName'], required: ['firstName'] } },
    },
  )
})
after(() => service.close())

const password = 'correct horse'
const profile = { firstName: 'Jane' }
const signUp = (email: string, more: object = {}, { client } = tenant) =>
  client.signUp({ method: 'password', email, password, profile, ...more })

test('creates a user, a profile and a session, and answers as a sign-in does', async () => {
  const body = {
    method: 'password',
    email: ' Jane@Example.com',
    password,
    profile: { ...profile, level: 9, unknown: 1 },
  }
  const { status, body: answer } = await request(service, 'POST /auth/sign-up', { key: tenant.key, body })
  assert.equal(status, 201)
  const { accessToken, refreshToken, user } = answer.data
  assert.deepEqual(answer.data, {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: 900,
    refreshToken,
    user,
    isNewUser: true,
  })
  const createdAt = new Date(service.clock.now()).toISOString()
  assert.deepEqual(user, {
    id: user.id,
    guest: false,
    methods: ['password'],
    email: 'jane@example.com',
    emailVerified: false,
    phone: null,
    phoneVerified: false,
    createdAt,
  })
  const { firstName, level } = await tenant.client.withSession(accessToken).getProfile()
  assert.deepEqual({ firstName, level }, { firstName: 'Jane', level: null })
  const again = await tenant.client.signIn({ method: 'password', email: 'jane@example.com', password })
  assert.deepEqual([again.user.id, again.isNewUser], [user.id, false])
})

test('the session lives 30 days idle and 180 at most; refresh token and password are stored only as hashes', async () => {
  const { refreshToken, user } = await signUp('hashed@example.com', { password: 'canary password' })
  const session = storedRow(service, 'SELECT * FROM sessions WHERE user_id = ?', user.id)
  const days = (column: string) => (Number(session[column]) - service.clock.now()) / 86_400_000
  assert.deepEqual([days('idle_expires_at'), days('expires_at')], [30, 180])
  assert.equal(session['refresh_hash'], hash('sha256', refreshToken))
  const [, sessionId, secret] = /^rt_(\w{26})_([\w-]{43})_[\w-]{22}$/.exec(refreshToken) ?? []
  assert.equal(sessionId, session['id'])
  assert.equal(Buffer.from(secret!, 'base64url').length, 32)
  assert.match(
    String(storedRow(service, 'SELECT password_hash FROM users WHERE id = ?', user.id)['password_hash']),
    /^\$argon2id\$/,
  )
  const file = storedBytes(service)
  assert.ok(file.includes('hashed@example.com'))
  for (const secret of [refreshToken, 'canary password']) assert.ok(!file.includes(secret))
})

test('rejects a taken address in any spelling, without hashing', async () => {
  await signUp('taken@example.com')
  const { hasher } = service.service.services
  const { hashes } = hasher
  await changesNothing(service, async () => {
    for (const spelling of ['taken@example.com', 'TAKEN@example.COM ']) {
      await refused(signUp(spelling, { password: 'another password' }), 'EMAIL_ALREADY_REGISTERED')
    }
  })
  assert.equal(hasher.hashes, hashes)
  await signUp('taken@example.com', {}, await service.addTenant())
})

test('creates one user for 16 concurrent sign-ups with one address', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 16 }, () => signUp('crowd@example.com')))
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const answer of answers) {
    if (answer.status === 'rejected') assert.equal(answer.reason.code, 'EMAIL_ALREADY_REGISTERED')
  }
  const users = storedRows(service, "SELECT id FROM users WHERE email = 'crowd@example.com'")
  assert.equal(users.length, 1)
  assert.equal(storedRows(service, 'SELECT * FROM profiles WHERE user_id = ?', users[0]!['id']!).length, 1)
  assert.equal(storedRows(service, 'SELECT * FROM sessions WHERE user_id = ?', users[0]!['id']!).length, 1)
})

test('rejects the sign-up when its profile violates the schema or the sign-up form', async () => {
  const email = 'unprofiled@example.com'
  await changesNothing(service, async () => {
    await invalid(signUp(email, { profile: { firstName: 1 } }), {
      'profile.firstName': 'Expected string, received number',
    })
    await invalid(signUp(email, { profile: { firstName: null } }), { 'profile.firstName': 'Validation rule not met' })
    await invalid(signUp(email, { profile: {} }), { 'profile.firstName': 'Required' })
    await invalid(signUp(email, { profile: undefined }), { 'profile.firstName': 'Required' })
    await invalid(signUp(email, { profile: [] }), { profile: 'Expected object, received array' })
  })
})

test('reports each missing or invalid field', async () => {
  const send = (body: object) => tenant.client.signUp(body as never)
  await changesNothing(service, async () => {
    await invalid(send({}), { method: 'Required', email: 'Required', password: 'Required' })
    await invalid(send({ method: 'otp', email: 'jane', password: '7 chars' }), {
      method: 'Invalid enum value',
      email: 'Invalid email',
      password: 'String must contain at least 8 character(s)',
    })
    await invalid(signUp('long@example.com', { password: 'x'.repeat(1025) }), {
      password: 'String must contain at most 1024 character(s)',
    })
  })
  const strict = await service.addTenant({ configuration: { security: { passwordBlocklist: true } } })
  await changesNothing(service, () =>
    invalid(signUp('common@example.com', { password: 'password1' }, strict), { password: 'Validation rule not met' }),
  )
})

test('a proof of the address verifies it and is consumed', async () => {
  const email = 'proven@example.com'
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
  const token = id
  await refused(signUp(email, { token }), 'OTP_NOT_CONSUMABLE')
  await tenant.client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  await changesNothing(service, () => refused(signUp('other@example.com', { token }), 'OTP_NOT_CONSUMABLE'))
  assert.equal((await signUp(email, { token })).user.emailVerified, true)
  assert.equal(storedOtp(service, id)['state'], 'consumed')
  await changesNothing(service, () => refused(signUp('third@example.com', { token }), 'OTP_ALREADY_CONSUMED'))
})

test('rejects sign-ups where they are restricted or the method is disabled', async () => {
  const restricted = await service.addTenant()
  await service.admin.updateTenant({ tenantId: restricted.tenantId }, { restrictedCapabilities: ['sign_up'] })
  const passwordless = await service.addTenant({ methods: ['otp', 'guest'] })
  await changesNothing(service, async () => {
    await refused(signUp('jane@example.com', {}, restricted), 'RESTRICTED_CAPABILITY')
    await refused(restricted.client.signUp({} as never), 'RESTRICTED_CAPABILITY')
    await refused(signUp('jane@example.com', {}, passwordless), 'AUTH_METHOD_NOT_ENABLED')
  })
})
