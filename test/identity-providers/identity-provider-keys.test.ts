import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  createIdentityProviders,
  type IdentityProviderSettings,
  type SocialIdentity,
} from '../../server/identity-providers/identity-providers.ts'
import { IdentityProviderUnavailable } from '../../server/identity-providers/provider-keys.ts'
import { type IdentityProvider, newProviderKey, startIdentityProvider } from '../support/identity-provider.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordedLog } from '../support/recorded-log.ts'
import { until } from '../support/until.ts'

const minute = 60_000
const hour = 60 * minute

/** A separate provider, a client that fetches its keys, and the log. */
async function startPair(settings: Pick<IdentityProviderSettings, 'cooldownMs' | 'timeoutMs'> = {}) {
  const clock = manualClock(Date.UTC(2026, 0, 15, 12))
  const google = await startIdentityProvider('google', { clock })
  const { logger, log } = recordedLog()
  const providers = createIdentityProviders({ ...google.settings, timeoutMs: 20_000, ...settings, logger })
  const verify = (token: string): Promise<SocialIdentity | null> =>
    providers.verify('google', token, { clientIds: [google.clientId], nonce: undefined, now: clock.now() })
  return { clock, google, log, verify, [Symbol.asyncDispose]: () => google.close() }
}

const isUnavailable = (retryAfterSeconds: number) => (error: unknown) => {
  assert.ok(error instanceof IdentityProviderUnavailable)
  assert.equal(error.code, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(error.details, { retryAfterSeconds })
  return true
}

test('fetches the keys once for the first tokens in parallel, and not for one that names no key', async () => {
  await using pair = await startPair()
  assert.equal(await pair.verify(await pair.google.sign({}, { header: { kid: undefined } })), null)
  assert.equal(pair.google.jwksRequests, 0)
  const tokens = await Promise.all(Array.from({ length: 20 }, () => pair.google.sign()))
  const identities = await Promise.all(tokens.map(pair.verify))
  assert.ok(identities.every((identity) => identity !== null))
  assert.equal(pair.google.jwksRequests, 1)
})

test('shares a fetch between parallel requests without a cooldown', async () => {
  await using pair = await startPair({ cooldownMs: 0 })
  pair.google.fail(500)
  const token = await pair.google.sign()
  await Promise.all(Array.from({ length: 5 }, () => assert.rejects(pair.verify(token), isUnavailable(1))))
  assert.deepEqual([pair.google.jwksRequests, pair.log.length], [1, 1])
})

test('fetches a new key after the cooldown, and accepts it beside the previous one', async () => {
  await using pair = await startPair()
  const before = await pair.google.sign()
  assert.notEqual(await pair.verify(before), null)
  await pair.google.rotate()
  const token = await pair.google.sign()
  assert.equal(await pair.verify(token), null, 'within the cooldown')
  pair.clock.advance(9_999)
  assert.equal(await pair.verify(token), null, 'still')
  pair.clock.advance(1)
  assert.notEqual(await pair.verify(token), null)
  assert.notEqual(await pair.verify(before), null)
  assert.equal(pair.google.jwksRequests, 2)
})

test('fetches keys once per cooldown for a flood of unknown key ids', async () => {
  await using pair = await startPair()
  const genuine = await pair.google.sign()
  assert.notEqual(await pair.verify(genuine), null)
  pair.clock.advance(10_000)
  const key = await newProviderKey()
  const flood = await Promise.all(
    Array.from({ length: 200 }, (_, n) => pair.google.sign({}, { key: { ...key, kid: `invented-${n}` } })),
  )
  const answers = await Promise.all(flood.map(pair.verify))
  assert.ok(answers.every((answer) => answer === null))
  for (const token of flood.slice(0, 20)) assert.equal(await pair.verify(token), null)
  assert.notEqual(await pair.verify(genuine), null)
  assert.equal(pair.google.jwksRequests, 2)
})

test('rejects a withdrawn key after ten minutes', async () => {
  await using pair = await startPair()
  const token = await pair.google.sign()
  await pair.verify(token)
  await pair.google.rotate({ withdraw: true })
  pair.clock.advance(10 * minute - 1)
  assert.notEqual(await pair.verify(token), null)
  pair.clock.advance(1)
  assert.equal(await pair.verify(token), null)
})

type Trouble = [name: string, begin: (google: IdentityProvider) => void, settings?: { readonly timeoutMs: number }]
/** Answers the provider's key, changed. */
const answerKey =
  (change: (key: JsonWebKey, privateJwk: JsonWebKey) => JsonWebKey): Trouble[1] =>
  (google) => {
    const { publicJwk, privateKey } = google.key
    google.answer(JSON.stringify({ keys: [change(publicJwk, privateKey.export({ format: 'jwk' }))] }))
  }
/** Short for a test, and long enough for an answer on a busy machine. */
const soon = { timeoutMs: 1_000 }
const troubles: Trouble[] = [
  ['hangs', (google) => google.hang(), soon],
  ['hangs in the middle of its answer', (google) => google.hang('{"keys":['), soon],
  ['answers 500', (google) => google.fail(500)],
  ['answers 404', (google) => google.fail(404)],
  ['redirects', (google) => google.fail(302, { location: '/elsewhere' })],
  ...['<!doctype html>', 'null', '{"keys":[]}', '{"keys":["x"]}'].map(
    (text): Trouble => [`answers ${text}`, (google) => google.answer(text)],
  ),
  ['answers a key without modulus', answerKey(({ kid }) => ({ kty: 'RSA', kid }))],
  ['answers a key for encryption', answerKey((key) => ({ ...key, use: 'enc' }))],
  ['answers a key that verifies nothing', answerKey((key) => ({ ...key, key_ops: [] }))],
  ['answers a key of another algorithm', answerKey((key) => ({ ...key, alg: 'RS512' }))],
  ['answers a private key', answerKey((key, own) => ({ ...key, ...own }))],
  [
    'answers megabytes',
    (google) => google.answer(`{"keys":[${JSON.stringify(google.key.publicJwk)}]${' '.repeat(3e6)}}`),
  ],
]

for (const [name, begin, settings] of troubles) {
  test(`answers SERVICE_UNAVAILABLE for a provider that ${name}, with one log line and one request per cooldown`, {
    timeout: 30_000,
  }, async () => {
    await using pair = await startPair(settings)
    begin(pair.google)
    const token = await pair.google.sign()
    await Promise.all(Array.from({ length: 3 }, () => assert.rejects(pair.verify(token), isUnavailable(10))))
    pair.clock.advance(4_500)
    await assert.rejects(pair.verify(token), isUnavailable(6))
    assert.deepEqual([pair.google.jwksRequests, pair.log.length], [1, 1])
    assert.match(pair.log[0] ?? '', /"provider":"google".*failed to fetch identity provider keys/)
    for (const part of token.split('.')) assert.ok(!pair.log.join().includes(part), 'a part of the token is logged')

    pair.google.restore()
    pair.clock.advance(5_500)
    assert.notEqual(await pair.verify(token), null)
    assert.deepEqual([pair.google.jwksRequests, pair.log.length], [2, 1])
  })

  test(`verifies with fetched keys while the provider ${name}, and answers SERVICE_UNAVAILABLE for others`, async () => {
    await using pair = await startPair(settings)
    const token = await pair.google.sign()
    assert.notEqual(await pair.verify(token), null)
    begin(pair.google)
    pair.clock.advance(30 * minute)
    assert.notEqual(await pair.verify(token), null)
    const other = await pair.google.sign({}, { key: await newProviderKey() })
    await assert.rejects(pair.verify(other), isUnavailable(10))
    assert.notEqual(await pair.verify(token), null)
    assert.deepEqual([pair.google.jwksRequests, pair.log.length], [2, 1])
    pair.google.restore()
    pair.clock.advance(10_000)
    assert.equal(await pair.verify(other), null)
  })
}

test('does not wait for a provider that has just failed, and uses its new keys once it answers', async () => {
  await using pair = await startPair()
  const token = await pair.google.sign()
  assert.notEqual(await pair.verify(token), null)
  pair.google.fail(500)
  pair.clock.advance(30 * minute)
  assert.notEqual(await pair.verify(token), null)
  pair.google.restore()
  await pair.google.rotate({ withdraw: true })
  pair.clock.advance(10_000)
  const newer = await pair.google.sign()
  assert.notEqual(await pair.verify(newer), null)
  assert.equal(await pair.verify(token), null)

  pair.google.fail(500)
  pair.clock.advance(10 * minute)
  assert.notEqual(await pair.verify(newer), null)
  pair.google.hang()
  pair.clock.advance(10_000)
  assert.notEqual(await pair.verify(newer), null)
  assert.equal(pair.log.length, 2, 'the request that hangs has not failed yet')
  await until(() => pair.google.jwksRequests === 5)
})

test('rejects tokens when keys could not be refreshed for a day', async () => {
  await using pair = await startPair()
  await pair.verify(await pair.google.sign())
  pair.google.fail(500)
  pair.clock.advance(24 * hour - 1)
  assert.notEqual(await pair.verify(await pair.google.sign()), null)
  pair.clock.advance(1)
  await assert.rejects(pair.verify(await pair.google.sign()), IdentityProviderUnavailable)
})

test('uses a key of a set that also contains unusable keys', async () => {
  await using pair = await startPair()
  const { publicJwk } = pair.google.key
  const { kid, ...unnamed } = publicJwk
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const unusable = [
    null,
    {},
    unnamed,
    { kty: 'RSA', kid: 'other' },
    { ...unnamed, kid: 1 },
    elliptic,
    { ...elliptic, kid },
  ]
  pair.google.answer(JSON.stringify({ keys: [publicJwk, ...unusable, publicJwk, { ...publicJwk, n: '!' }] }))
  assert.notEqual(await pair.verify(await pair.google.sign()), null)
  assert.deepEqual(pair.log, [])
})

test('reads a key set that begins with a byte order mark', async () => {
  await using pair = await startPair()
  pair.google.answer(`\uFEFF${JSON.stringify({ keys: [pair.google.key.publicJwk] })}`)
  assert.notEqual(await pair.verify(await pair.google.sign()), null)
  assert.deepEqual(pair.log, [])
})

test('refreshes keys after the clock was set back', async () => {
  await using pair = await startPair()
  await pair.verify(await pair.google.sign())
  pair.clock.advance(-hour)
  await pair.google.rotate()
  assert.notEqual(await pair.verify(await pair.google.sign()), null)
})

test('rejects signatures of keys shorter than 2048 bits', async () => {
  await using pair = await startPair()
  const weak = await newProviderKey(1024)
  pair.google.answer(JSON.stringify({ keys: [pair.google.key.publicJwk, weak.publicJwk] }))
  const [, payload] = (await pair.google.sign()).split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: weak.kid })).toString('base64url')
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), weak.privateKey).toString('base64url')
  assert.equal(await pair.verify(`${header}.${payload}.${signature}`), null)
})

test('schedules fetches with the given clock, not the system clock', async (t) => {
  await using pair = await startPair()
  const token = await pair.google.sign()
  assert.notEqual(await pair.verify(token), null)
  const other = await pair.google.sign({}, { key: await newProviderKey() })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hour })
  assert.notEqual(await pair.verify(token), null)
  assert.equal(await pair.verify(other), null)
  assert.equal(pair.google.jwksRequests, 1)
})
