import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { createTenantryClient } from '../client/client.ts'
import { createPasswordHasher, type PasswordHasher, PasswordHasherBusy } from '../server/passwords/password-hasher.ts'
import { addPerson } from './person.ts'
import { request } from './raw-request.ts'
import { invalid, refused } from './refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from './service.ts'
import { changesNothing, storedRow, storedRows, writeStored } from './stored-rows.ts'

/** What the hasher's line is too full for. */
let busyWith: 'nothing' | 'hashing' | 'everything' = 'nothing'
const grown = createPasswordHasher({ memoryKiB: 16, passes: 2 })
/** Where a sign-in waits, when a test says so, between comparing the password and storing a session. */
let afterComparing = (): Promise<void> => Promise.resolve()
/** The grown hasher, with a line that is full when a test says so. */
const hasher: PasswordHasher = Object.assign(Object.create(grown), {
  async hash(password: string) {
    if (busyWith !== 'nothing') throw new PasswordHasherBusy()
    return grown.hash(password)
  },
  async verify(phc: string, password: string) {
    if (busyWith === 'everything') throw new PasswordHasherBusy()
    const matches = await grown.verify(phc, password)
    await afterComparing()
    return matches
  },
})
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ hasher, limitsText: 'all=off,failed-passwords=10/15m' })
  tenant = await service.addTenant()
})
after(() => service.close())

const signIn = (email: string, password: string, { client } = tenant) =>
  client.signIn({ method: 'password', email, password })
const from = (clientIp: string) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: tenant.secretKey, clientIp })
const hashOf = (userId: string) =>
  storedRow(service, 'SELECT password_hash FROM users WHERE id = ?', userId)['password_hash']

test('the access token is an ES256 JWT that anybody verifies with the published keys', async () => {
  const person = await addPerson(service, tenant)
  const { accessToken, user } = await person.signIn()
  const { kid, ...header } = decodeProtectedHeader(accessToken)
  assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt' })
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.baseUrl))
  const expected = {
    issuer: 'http://tenantry.test',
    audience: tenant.tenantId,
    currentDate: new Date(service.clock.now()),
  }
  const { payload } = await jwtVerify(accessToken, keys, expected)
  const now = service.clock.now() / 1000
  const session = storedRow(service, 'SELECT id FROM sessions WHERE user_id = ?', user.id)
  assert.deepEqual(payload, {
    iss: 'http://tenantry.test',
    aud: tenant.tenantId,
    sub: person.userId,
    sid: session['id'],
    jti: payload.jti,
    amr: ['pwd'],
    guest: false,
    iat: now,
    exp: now + 900,
  })
  const jwks = await request(service, 'GET /.well-known/jwks.json')
  assert.deepEqual(
    jwks.body.keys.map((key: object) => Object.keys(key).sort()),
    [['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']],
  )
  assert.equal(jwks.body.keys[0].kid, kid)
})

test('the access token ends after 15 minutes, to the second', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await client.updateProfile({})
  service.clock.advance(899_999)
  await client.getProfile()
  service.clock.advance(1)
  await refused(client.getProfile(), 'INVALID_USER_TOKEN')
})

test('every sign-in is a session of its own, and the address may be spelt otherwise', async () => {
  const person = await addPerson(service, tenant)
  const first = await person.signIn()
  const second = await signIn(` ${person.email.toUpperCase()} `, person.password)
  assert.equal(second.user.id, person.userId)
  assert.equal(second.isNewUser, false)
  assert.notEqual(first.refreshToken, second.refreshToken)
  assert.equal(storedRows(service, 'SELECT * FROM sessions WHERE user_id = ?', person.userId).length, 2)
})

test('unknown, without a password and wrong are one answer after the same work', async () => {
  const person = await addPerson(service, tenant)
  await service.admin.createUser({ tenantId: tenant.tenantId }, { email: 'passwordless@example.com' })
  await changesNothing(service, async () => {
    const seen = []
    for (const email of [person.email, 'nobody@example.com', 'passwordless@example.com']) {
      const [hashes, verifies] = [grown.hashes, grown.verifies]
      const body = { method: 'password', email, password: 'not the password' }
      const { status, body: answer, headers } = await request(service, 'POST /auth/sign-in', { key: tenant.key, body })
      const work = [grown.hashes - hashes, grown.verifies - verifies]
      seen.push({ status, error: answer.error, headers: [...headers.keys()], work })
    }
    const [wrong, ...others] = seen
    assert.deepEqual([wrong!.status, wrong!.error.code, wrong!.work], [401, 'INVALID_CREDENTIALS', [0, 1]])
    for (const other of others) assert.deepEqual(other, wrong)
  })
})

test('a user of another tenant is unknown here', async () => {
  const person = await addPerson(service, await service.addTenant())
  await refused(signIn(person.email, person.password), 'INVALID_CREDENTIALS')
})

test('past 10 failures in 15 minutes even the right password waits, from that network alone', async () => {
  const person = await addPerson(service, tenant)
  for (const email of [person.email, 'no-account@example.com']) {
    const verifies = grown.verifies
    for (let wrong = 0; wrong < 10; wrong++) await refused(signIn(email, 'wrong'), 'INVALID_CREDENTIALS')
    const { retryAfter } = await refused(signIn(email, person.password), 'TOO_MANY_REQUESTS')
    assert.equal(retryAfter, 900)
    assert.equal(grown.verifies - verifies, 10)
  }
  const body = { method: 'password' as const, email: person.email, password: person.password }
  await from('203.0.113.9').signIn(body)
  const bystander = await addPerson(service, tenant)
  await bystander.signIn()
  service.clock.advance(899_999)
  await refused(person.signIn(), 'TOO_MANY_REQUESTS')
  service.clock.advance(1)
  await person.signIn()
})

test('a right password gives its place in the budget back, but not those of the wrong ones before', async () => {
  const person = await addPerson(service, tenant)
  for (let wrong = 0; wrong < 9; wrong++) await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  for (let right = 0; right < 20; right++) await person.signIn()
  await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  await refused(person.signIn(), 'TOO_MANY_REQUESTS')
})

test('of 100 wrong passwords at once exactly 10 are compared', async () => {
  const person = await addPerson(service, tenant)
  const verifies = grown.verifies
  const attempts = Array.from({ length: 100 }, () => person.signIn('wrong').then(assert.fail, (error) => error.code))
  const codes = await Promise.all(attempts)
  assert.equal(codes.filter((code) => code === 'INVALID_CREDENTIALS').length, 10)
  assert.equal(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length, 90)
  assert.equal(grown.verifies - verifies, 10)
})

test('restricted for the tenant nobody signs in; restricted for a user, only who knows the password is told', async () => {
  const restricted = await service.addTenant()
  const person = await addPerson(service, restricted)
  const { tenantId } = restricted
  await service.admin.updateUser({ tenantId, userId: person.userId }, { restrictedCapabilities: ['sign_in'] })
  await changesNothing(service, async () => {
    await refused(person.signIn(), 'RESTRICTED_CAPABILITY')
    await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  })
  await service.admin.updateUser({ tenantId, userId: person.userId }, { restrictedCapabilities: [] })
  await person.signIn()
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['sign_in'] })
  await changesNothing(service, async () => {
    await refused(person.signIn(), 'RESTRICTED_CAPABILITY')
    await refused(restricted.client.signIn({} as never), 'RESTRICTED_CAPABILITY')
  })
})

test('a tenant without the method signs nobody in by password', async () => {
  const passwordless = await service.addTenant({ methods: ['otp'] })
  const person = await addPerson(service, passwordless)
  await changesNothing(service, () => refused(person.signIn(), 'AUTH_METHOD_NOT_ENABLED'))
})

test('what is missing or wrong is told field by field', async () => {
  const send = (body: object) => tenant.client.signIn(body as never)
  await changesNothing(service, async () => {
    await invalid(send({}), { method: 'Required', email: 'Required', password: 'Required' })
    await invalid(send({ method: 'guess', email: 'jane', password: '' }), {
      method: 'Invalid enum value',
      email: 'Invalid email',
      password: 'String must contain at least 1 character(s)',
    })
  })
})

test('a hash made with weaker parameters grows with the next sign-in, once', async () => {
  const person = await addPerson(service, tenant)
  const weak = await cheapHasher().hash(person.password)
  writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', weak, person.userId)
  await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  assert.equal(hashOf(person.userId), weak)
  await person.signIn()
  const renewed = hashOf(person.userId)
  assert.match(String(renewed), /m=16,t=2/)
  await person.signIn()
  assert.equal(hashOf(person.userId), renewed)
})

test('while the hasher is overloaded a sign-in is told to wait, and it counts as no failure', async () => {
  const person = await addPerson(service, tenant)
  busyWith = 'everything'
  try {
    for (let call = 0; call < 12; call++) {
      const { retryAfter } = await refused(person.signIn(), 'SERVICE_UNAVAILABLE')
      assert.equal(retryAfter, 1)
    }
  } finally {
    busyWith = 'nothing'
  }
  await person.signIn()
})

test('a hash that cannot be renewed just now does not fail the sign-in', async () => {
  const person = await addPerson(service, tenant)
  const weak = await cheapHasher().hash(person.password)
  writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', weak, person.userId)
  busyWith = 'hashing'
  try {
    await person.signIn()
  } finally {
    busyWith = 'nothing'
  }
  assert.equal(hashOf(person.userId), weak)
})

test('a sign-in whose password was right, but is reset before its session is stored, is refused', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const compared = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  afterComparing = () => {
    compared.resolve()
    return goOn.promise
  }
  const signingIn = refused(person.signIn(), 'INVALID_CREDENTIALS')
  await compared.promise
  afterComparing = () => Promise.resolve()
  await tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  goOn.resolve()
  await signingIn
  assert.deepEqual(storedRows(service, 'SELECT * FROM sessions WHERE user_id = ?', person.userId), [])
  await person.signIn('battery staple')
})
