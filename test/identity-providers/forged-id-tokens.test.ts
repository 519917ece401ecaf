import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { CompactEncrypt, CompactSign } from 'jose'
import { pino } from 'pino'
import { createIdentityProviders, type IdentityProviders } from '../../server/identity-providers/identity-providers.ts'
import { anyText } from '../support/any-text.ts'
import { type IdentityProvider, newProviderKey, startIdentityProvider } from '../support/identity-provider.ts'

let google: IdentityProvider
let providers: IdentityProviders

before(async () => {
  google = await startIdentityProvider('google')
  providers = createIdentityProviders({ ...google.settings, logger: pino({ level: 'silent' }) })
})
after(() => google.close())

const verify = (token: string) =>
  providers.verify('google', token, { clientIds: [google.clientId], nonce: undefined, now: google.clock.now() })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('rejects forged, foreign and malformed tokens alike', async () => {
  const token = await google.sign()
  const [head = '', body = '', signature = ''] = token.split('.')
  const { kid, privateKey, publicJwk } = google.key
  const stranger = await newProviderKey()
  await using apple = await startIdentityProvider('apple')
  const withHeader = (changed: object) =>
    `${encode({ alg: 'RS256', kid, typ: 'JWT', ...changed })}.${body}.${signature}`
  const hmac = (key: string) => {
    const signed = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${body}`
    // As long as an RSA signature, so that it is not refused for its length.
    return `${signed}.${Buffer.concat([createHmac('sha256', key).update(signed).digest(), Buffer.alloc(224)]).toString('base64url')}`
  }
  const header = (changed: Record<string, unknown>) => google.sign({}, { header: changed })
  const signText = (text: string) =>
    new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  const jwe = new CompactEncrypt(Buffer.from(body)).setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
  const forgeries: Record<string, string> = {
    'alg none': `${encode({ alg: 'none', kid })}.${body}.`,
    'alg none with the signature': withHeader({ alg: 'none' }),
    'no alg': withHeader({ alg: undefined }),
    'HS256 with the public key': hmac(JSON.stringify(publicJwk)),
    'HS256 with the modulus': hmac(String(publicJwk.n)),
    'HS256 with an empty key': hmac(''),
    RS512: await google.sign({}, { header: { alg: 'RS512' } }),
    PS256: await google.sign({}, { header: { alg: 'PS256' } }),
    'signed by an unknown key': await google.sign({}, { key: stranger }),
    'signed by a stranger under a known kid': await google.sign({}, { key: { ...stranger, kid } }),
    'signed by another provider': await apple.sign({ iss: google.issuer, aud: google.clientId }),
    'an embedded key': await google.sign({}, { key: stranger, header: { jwk: stranger.publicJwk } }),
    'jku of an attacker': withHeader({ kid: 'evil', jku: 'http://127.0.0.1:9/keys' }),
    'no kid': await header({ kid: undefined }),
    'kid a number': await header({ kid: 7 }),
    'kid __proto__': await header({ kid: '__proto__' }),
    'unknown crit': withHeader({ crit: ['exp2'], exp2: 1 }),
    'b64 false': withHeader({ crit: ['b64'], b64: false }),
    'an access token': await header({ typ: 'at+jwt' }),
    'a logout token': await header({ typ: 'logout+jwt' }),
    'typ a number': withHeader({ typ: 7 }),
    'iss another': await google.sign({ iss: 'http://evil.example' }),
    'iss with a trailing slash': await google.sign({ iss: `${google.issuer}/` }),
    'iss a list': await google.sign({ iss: [google.issuer] }),
    'no iss': await google.sign({ iss: undefined }),
    'payload changed': `${head}.${encode({ sub: 'someone' })}.${signature}`,
    'payload not JSON': await signText('{'),
    'payload a string': await signText('"x"'),
    'payload a list': await signText('[]'),
    'payload null': await signText('null'),
    'payload not UTF-8': await new CompactSign(Buffer.from([0xff, 0xfe]))
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey),
    'header not JSON': `${Buffer.from('{').toString('base64url')}.${body}.${signature}`,
    'header a list': `${encode([])}.${body}.${signature}`,
    'a JWE': await jwe.encrypt(createPublicKey(privateKey)),
    '10 kB, signed': await google.sign({ filler: 'x'.repeat(10_000) }),
    'no signature': `${head}.${body}.`,
    'signature of zeros': `${head}.${body}.${Buffer.alloc(256).toString('base64url')}`,
    'four parts': `${token}.${signature}`,
    'two parts': `${head}.${body}`,
    empty: '',
    dots: '..',
    'trailing padding': `${token}==`,
    'a trailing line break': `${token}\n`,
    'a leading space': ` ${token}`,
    'a leading Bearer': `Bearer ${token}`,
    'stray trailing bits': token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1),
    'as JSON': JSON.stringify({ payload: body, protected: head, signature }),
    NUL: `${head}.${body}\u0000.${signature}`,
  }
  for (const [name, forged] of Object.entries(forgeries)) assert.equal(await verify(forged), null, name)
  assert.notEqual(await verify(token), null, 'the genuine one')
  assert.notEqual(await verify(await header({ typ: undefined })), null, 'without typ, as Apple’s are')
  assert.notEqual(await verify(await header({ typ: 'jwt' })), null, 'typ in lower case (RFC 7515 4.1.9)')
})

test('rejects a token with any character changed, without an exception', async () => {
  const token = await google.sign()
  const mutation = fc.record({
    at: fc.nat(token.length - 1),
    by: fc.oneof(fc.constantFrom(...'ABCabc019-_.=+/ '), anyText({ maxLength: 2 })),
  })
  await fc.assert(
    fc.asyncProperty(mutation, async ({ at, by }) => {
      const changed = token.slice(0, at) + by + token.slice(at + 1)
      assert.equal((await verify(changed)) === null, changed !== token)
    }),
    { numRuns: 1500 },
  )
})

test('returns null for arbitrary text', async () => {
  const { kid } = google.key
  const header = fc.oneof(
    fc.record({ alg: fc.constantFrom('RS256', 'none', 'HS256', 7), kid: fc.oneof(fc.constant(kid), fc.jsonValue()) }),
    fc.jsonValue(),
  )
  const part = fc.oneof(fc.jsonValue().map(encode), fc.base64String(), anyText())
  const signature = fc.oneof(
    fc.uint8Array({ minLength: 256, maxLength: 256 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    part,
  )
  const token = fc.oneof(
    fc.tuple(header.map(encode), part, signature).map((parts) => parts.join('.')),
    anyText({ maxLength: 400 }),
  )
  await fc.assert(
    fc.asyncProperty(token, async (given) => assert.equal(await verify(given), null)),
    { numRuns: 500 },
  )
})
