import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const withAuthorization = (value: string): Promise<WireAnswer> =>
  target.send('updateProfile', { headers: [['authorization', value]] })

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Decodes the parts of a token. */
function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), payload: read(payload), signature, signed: `${header}.${payload}` }
}

test('answers MISSING_USER_TOKEN without a token (threat E09)', async () => {
  const { headers = [], ...request } = target.request('updateProfile')
  await target.unchanged(async () => {
    const answer = await send(target.service.baseUrl, {
      ...request,
      headers: headers.filter(([name]) => name !== 'authorization'),
    })
    assertRefusal(answer, 'MISSING_USER_TOKEN')
  })
})

test('answers INVALID_USER_TOKEN to anything that is not a token (threat E09)', async () => {
  const { accessToken, tenant } = target
  const values = [
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Basic ${accessToken}`,
    accessToken,
    `Bearer ${accessToken} x`,
    `Bearer "${accessToken}"`,
    `Bearer ${accessToken},`,
    `Bearer ${tenant.key}`,
    'Bearer ..',
    'Bearer a.b.c',
    `Bearer ${'a.'.repeat(5000)}`,
    `Bearer ${'x'.repeat(10_000)}`,
    'Bearer null',
    `Bearer\u00a0${accessToken}`,
  ]
  await target.unchanged(async () => {
    for (const value of values) assertRefusal(await withAuthorization(value), 'INVALID_USER_TOKEN')
  })
})

test('rejects a token that is truncated, extended or changed in one letter (threat F12)', async () => {
  const { accessToken } = target
  const { signed, signature } = partsOf(accessToken)
  const changed = [0, 10, signed.length + 5].map((at) => {
    const letter = accessToken[at]!
    return (
      accessToken.slice(0, at) +
      (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()) +
      accessToken.slice(at + 1)
    )
  })
  const extended = [
    `${accessToken}=`,
    `${accessToken}A`,
    `${accessToken}.`,
    `.${accessToken}`,
    `${signed}..${signature}`,
  ]
  const truncated = [1, 2, 3, 10, 80].map((count) => accessToken.slice(0, -count))
  await target.unchanged(async () => {
    for (const token of [...changed.filter((token) => token !== accessToken), ...extended, ...truncated]) {
      assertRefusal(await withAuthorization(`Bearer ${token}`), 'INVALID_USER_TOKEN')
    }
  })
})

test('rejects tokens that are unsigned or signed with the public key (threat F11)', async () => {
  const { header, payload, signature } = partsOf(target.accessToken)
  const jwks = (await target.tenant.client.getJwks()).keys
  const publicKey = JSON.stringify(jwks[0])
  const hmac = (head: object, key: string) => {
    const signed = `${encode(head)}.${encode(payload)}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }
  const withHeader = (changes: object) => `${encode({ ...header, ...changes })}.${encode(payload)}.${signature}`
  const tokens = [
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(payload)}.`,
    `${encode({ ...header, alg: 'nOnE' })}.${encode(payload)}.`,
    hmac({ ...header, alg: 'HS256' }, publicKey),
    hmac({ ...header, alg: 'HS256' }, ''),
    hmac({ alg: 'HS256', typ: 'at+jwt' }, String(jwks[0]?.x)),
    ...['../../etc/passwd', "' OR 1=1--", 'https://evil.example/jwks', '', '__proto__', 'constructor'].map((kid) =>
      withHeader({ kid }),
    ),
    withHeader({ kid: undefined }),
    withHeader({ kid: 7 }),
    withHeader({ kid: ['x'] }),
    withHeader({ jku: 'https://evil.example/jwks' }),
    withHeader({ jwk: jwks[0] }),
    withHeader({ x5u: 'https://evil.example/cert' }),
    withHeader({ crit: ['exp'] }),
    withHeader({ typ: 'JWT' }),
    withHeader({ b64: false, crit: ['b64'] }),
    `${encode(header)}.${encode({ ...payload, sub: 'another' })}.${signature}`,
    `${encode('null')}.${encode('null')}.${signature}`,
    `${encode('[]')}.${encode('7')}.${signature}`,
    `${encode('{"alg":')}.${encode(payload)}.${signature}`,
    `${encode({ alg: 'dir', enc: 'A128GCM' })}..AAAA.AAAA.AAAA`,
  ]
  target.service.log.length = 0
  await target.unchanged(async () => {
    for (const token of tokens) assertRefusal(await withAuthorization(`Bearer ${token}`), 'INVALID_USER_TOKEN')
  })
  assert.deepEqual(
    target.service.log.filter((line) => JSON.parse(line).level >= 40),
    [],
  )
})

test('rejects a token of another tenant and ignores the letter case of the scheme (threat E09) (threat F02)', async () => {
  const other = await target.service.addTenant()
  const { accessToken } = await other.client.signUp({
    method: 'password',
    email: target.email,
    password: target.password,
  })
  await target.unchanged(async () => {
    assertRefusal(await withAuthorization(`Bearer ${accessToken}`), 'INVALID_USER_TOKEN')
    assertRefusal(await target.send('updateProfile', { headers: [['x-tenant-key', other.key]] }), 'INVALID_USER_TOKEN')
  })
  assertSuccess(await withAuthorization(`bEARER ${target.accessToken}`), 200)
})

test('rejects expired and revoked tokens immediately, and tokens of a deleted user (threat E09)', async () => {
  const { service, tenant, email, password, bodies } = target
  const signUp = (address: string) => tenant.client.signUp({ method: 'password', email: address, password })
  const deleted = await signUp('deleted@example.com')
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: deleted.user.id })
  const expiring = await tenant.client.signIn({ method: 'password', email, password })
  service.clock.advance(899_999)
  assertSuccess(await withAuthorization(`Bearer ${expiring.accessToken}`), 200)
  await target.unchanged(async () => {
    assertRefusal(await withAuthorization(`Bearer ${deleted.accessToken}`), 'TOKEN_USER_NOT_FOUND')
    service.clock.advance(1)
    assertRefusal(await withAuthorization(`Bearer ${expiring.accessToken}`), 'INVALID_USER_TOKEN')
    assertRefusal(await withAuthorization(`Bearer ${deleted.accessToken}`), 'INVALID_USER_TOKEN')
  })
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  const revoked = await tenant.client.signIn({ method: 'password', email, password })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  assertSuccess(await target.send('confirm', { body: { ...bodies.confirm, token: id } }), 201)
  await service.service.services.delivery.drain()
  await target.unchanged(async () => {
    assertRefusal(await withAuthorization(`Bearer ${revoked.accessToken}`), 'INVALID_USER_TOKEN')
  })
})
