import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createVerifier, type DecodedJwt } from 'fast-jwt'
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import { OpenIdConfiguration } from '../../contract/system.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const issuer = 'https://accounts.example.com/tenantry'
const MINUTE = 60_000
let service: TestService
let tenant: TestTenant
let person: Person

before(async () => {
  service = await startTestService({ publicUrl: issuer })
  tenant = await service.addTenant()
  person = await addPerson(service, tenant)
})
after(() => service.close())

const signIn = async () => (await person.signIn()).accessToken
const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** Advances the clock until the next key signs. */
async function rotate(): Promise<void> {
  await service.admin.rotateSigningKeys()
  service.clock.advance(10 * MINUTE)
}

/** The proxy at the public address. */
const throughProxy: typeof fetch = (url, init) => {
  assert.ok(String(url).startsWith(`${issuer}/`), String(url))
  return fetch(service.baseUrl + String(url).slice(issuer.length), init)
}

/** Verifies a token as JWT middleware does that is configured with only an issuer and an audience. */
async function discover(audience: string) {
  const answer = await throughProxy(`${issuer}/.well-known/openid-configuration`)
  const configuration = OpenIdConfiguration.parse(await answer.json())
  assert.equal(configuration.issuer, issuer)
  const keys = createRemoteJWKSet(new URL(configuration.jwks_uri), { [customFetch]: throughProxy, cooldownDuration: 0 })
  const algorithms = configuration.id_token_signing_alg_values_supported
  return (token: string) =>
    jwtVerify(token, keys, { issuer, audience, algorithms, currentDate: new Date(service.clock.now()) })
}

test('jose verifies a token with only issuer and audience, before and after a rotation', async () => {
  const verify = await discover(tenant.tenantId)
  const older = await signIn()
  assert.equal((await verify(older)).payload.sub, person.userId)
  await rotate()
  const newer = await signIn()
  assert.notEqual(kidOf(newer), kidOf(older))
  for (const token of [newer, older]) assert.equal((await verify(token)).payload.sub, person.userId)
  const elsewhere = await discover((await service.addTenant()).tenantId)
  await assert.rejects(elsewhere(newer), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' })
})

test('publishes the next key before a rotation, so that cached key sets contain it', async () => {
  await service.admin.rotateSigningKeys()
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.baseUrl), { cooldownDuration: Infinity })
  await keys.reload()
  service.clock.advance(10 * MINUTE)
  await jwtVerify(await signIn(), keys, { currentDate: new Date(service.clock.now()) })
})

test('jose refuses a token of a withdrawn key after it has reloaded the key set', async () => {
  const verify = await discover(tenant.tenantId)
  const leaked = await signIn()
  await service.admin.rotateSigningKeys({ withdraw: true })
  await assert.rejects(verify(leaked), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
  await verify(await signIn())
})

test('fast-jwt verifies a token with a key of the key set, before and after a rotation', async () => {
  const verify = (token: string) =>
    createVerifier({
      async key({ header }: DecodedJwt) {
        const { body } = await request(service, 'GET /.well-known/jwks.json')
        const key = body.keys.find(({ kid }: { kid: string }) => kid === header['kid'])
        return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
      },
      algorithms: ['ES256'],
      checkTyp: 'at+jwt',
      allowedIss: issuer,
      allowedAud: tenant.tenantId,
      clockTimestamp: service.clock.now(),
    })(token)
  const older = await signIn()
  assert.equal((await verify(older)).sub, person.userId)
  await rotate()
  const newer = await signIn()
  assert.notEqual(kidOf(newer), kidOf(older))
  for (const token of [newer, older]) assert.equal((await verify(token)).sub, person.userId)
  const [head, body] = newer.split('.')
  await assert.rejects(verify(`${head}.${body}.${older.split('.')[2]}`), { code: 'FAST_JWT_INVALID_SIGNATURE' })
})

test('serves a discovery document with correct values only', async () => {
  const { headers, body } = await request(service, 'GET /.well-known/openid-configuration')
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(body, {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['ES256'],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
  })
  assert.equal(decodeProtectedHeader(await signIn()).alg, 'ES256')
})

test('caches both documents for five minutes and revalidates them by ETag, which changes with a rotation', async () => {
  for (const line of ['GET /.well-known/jwks.json', 'GET /.well-known/openid-configuration']) {
    const { status, headers, text } = await request(service, line)
    const etag = headers.get('etag') ?? ''
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.match(etag, /^"[\w-]{27}"$/)
    const again = await request(service, line, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
    assert.equal(again.headers.get('cache-control'), 'public, max-age=300')

    await rotate()
    const rotated = await request(service, line, { headers: { 'if-none-match': etag } })
    const isJwks = line.endsWith('jwks.json')
    assert.equal(rotated.status, isJwks ? 200 : 304)
    if (isJwks) assert.notEqual(rotated.text, text)
  }
})
