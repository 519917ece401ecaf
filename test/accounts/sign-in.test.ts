import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { changesNothing, storedRow, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const signIn = (email: string, password: string, { client } = tenant) =>
  client.signIn({ method: 'password', email, password })

test('issues access tokens as ES256 JWTs that the published keys verify', async () => {
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
    auth_time: now,
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

test('the access token expires after 15 minutes, to the second', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await client.updateProfile({})
  service.clock.advance(899_999)
  await client.getProfile()
  service.clock.advance(1)
  await refused(client.getProfile(), 'INVALID_USER_TOKEN')
})

test('each sign-in creates a session; the address may be spelled differently', async () => {
  const person = await addPerson(service, tenant)
  const first = await person.signIn()
  const second = await signIn(` ${person.email.toUpperCase()} `, person.password)
  assert.equal(second.user.id, person.userId)
  assert.equal(second.isNewUser, false)
  assert.notEqual(first.refreshToken, second.refreshToken)
  assert.equal(storedRows(service, 'SELECT * FROM sessions WHERE user_id = ? ORDER BY id', person.userId).length, 2)
})

test('answers alike, after the same work, for an unknown user, no password and a wrong password', async () => {
  const person = await addPerson(service, tenant)
  await service.admin.createUser({ tenantId: tenant.tenantId }, { email: 'passwordless@example.com' })
  const { hasher } = service.service.services
  await changesNothing(service, async () => {
    const seen = []
    for (const email of [person.email, 'nobody@example.com', 'passwordless@example.com']) {
      const [hashes, verifies] = [hasher.hashes, hasher.verifies]
      const body = { method: 'password', email, password: 'not the password' }
      const { status, body: answer, headers } = await request(service, 'POST /auth/sign-in', { key: tenant.key, body })
      const work = [hasher.hashes - hashes, hasher.verifies - verifies]
      seen.push({ status, error: answer.error, headers: [...headers.keys()], work })
    }
    const [wrong, ...others] = seen
    assert.deepEqual([wrong!.status, wrong!.error.code, wrong!.work], [401, 'INVALID_CREDENTIALS', [0, 1]])
    for (const other of others) assert.deepEqual(other, wrong)
  })
})

test('does not know users of another tenant', async () => {
  const person = await addPerson(service, await service.addTenant())
  await refused(signIn(person.email, person.password), 'INVALID_CREDENTIALS')
})

test('restricted for the tenant, rejects everyone; restricted for a user, tells only those with the password', async () => {
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

test('rejects passwords where the tenant disabled the method', async () => {
  const passwordless = await service.addTenant({ methods: ['otp'] })
  const person = await addPerson(service, passwordless)
  await changesNothing(service, () => refused(person.signIn(), 'AUTH_METHOD_NOT_ENABLED'))
})

test('reports each missing or invalid field', async () => {
  const send = (body: object) => tenant.client.signIn(body as never)
  await changesNothing(service, async () => {
    await invalid(send({}), { method: 'Required' })
    await invalid(send({ method: 'guess' }), { method: 'Invalid enum value' })
    await invalid(send({ method: 'password' }), { email: 'Required', password: 'Required' })
    await invalid(send({ method: 'password', email: 'jane', password: '' }), {
      email: 'Invalid email',
      password: 'String must contain at least 1 character(s)',
    })
  })
})
