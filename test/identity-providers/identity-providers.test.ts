import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import {
  createIdentityProviders,
  type IdentityProviders,
  realProviders,
} from '../../server/identity-providers/identity-providers.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestService } from '../support/service.ts'

const logger = pino({ level: 'silent' })
let google: IdentityProvider
let apple: IdentityProvider
let facebook: IdentityProvider
let providers: IdentityProviders
let now: number

before(async () => {
  ;[google, apple, facebook] = await Promise.all([
    startIdentityProvider('google'),
    startIdentityProvider('apple'),
    startIdentityProvider('facebook'),
  ])
  providers = createIdentityProviders({ ...google.settings, ...apple.settings, ...facebook.settings, logger })
  now = google.clock.now()
})
after(() => Promise.all([google.close(), apple.close(), facebook.close()]))

const verify = (token: string) =>
  providers.verify('google', token, { clientIds: ['another', google.clientId], nonce: undefined, now })
const isTaken = async (claims: Record<string, unknown>) => (await verify(await google.sign(claims))) !== null

test('returns the identity in valid tokens of the three providers', async () => {
  const sub = '110169484474386276334'
  const claims = { sub, email: 'Ada@People.EXAMPLE' }
  const tokens = {
    google: await google.sign(claims),
    apple: await apple.sign({ ...claims, email_verified: 'true', is_private_email: 'true' }),
    facebook: await facebook.sign(claims),
  }
  for (const { clientId, provider } of [google, apple, facebook]) {
    const token = tokens[provider]
    const expected = { clientIds: [clientId], nonce: undefined, now }
    assert.deepEqual(await providers.verify(provider, token, expected), {
      provider,
      subject: sub,
      email: 'ada@people.example',
      emailVerified: provider !== 'facebook',
      idToken: { hash: hash('sha256', token, 'hex'), expiresAt: now + 3_660_000 },
    })
  }
})

test('returns when a token becomes too old, including clock skew', async () => {
  const iat = Math.floor(now / 1000)
  const day = 86_400
  for (const claims of [
    { exp: iat + 600 },
    { exp: iat + 600.5 },
    { iat: iat - day, exp: iat + 3600 },
    { iat: iat - day + 0.5, exp: iat + 3600 },
    { exp: iat + 7 * day },
    { exp: Number.MAX_VALUE },
  ]) {
    const token = await google.sign(claims)
    const at = (time: number) =>
      providers.verify('google', token, { clientIds: [google.clientId], nonce: undefined, now: time })
    const { expiresAt } = (await at(now))!.idToken
    assert.ok(Number.isSafeInteger(expiresAt), JSON.stringify(claims))
    assert.equal((await at(expiresAt - 1))?.idToken.expiresAt, expiresAt, JSON.stringify(claims))
    assert.equal(await at(expiresAt), null, JSON.stringify(claims))
  }
})

test('never trusts an address from Facebook', async () => {
  const token = await facebook.sign({ email_verified: true })
  const identity = await providers.verify('facebook', token, { clientIds: [facebook.clientId], nonce: undefined, now })
  assert.deepEqual([identity?.emailVerified, identity?.email === null], [false, false])
})

test('treats an address as verified only for true or "true"', async () => {
  for (const said of [true, 'true']) {
    assert.equal((await verify(await google.sign({ email_verified: said })))?.emailVerified, true, String(said))
  }
  for (const said of [false, 'false', 'TRUE', 'yes', 1, null, [true], undefined]) {
    assert.equal((await verify(await google.sign({ email_verified: said })))?.emailVerified, false, String(said))
  }
})

test('trusts Google for addresses of gmail.com and of the Workspace domain in `hd` only', async () => {
  const isBelieved = async (email: string, hd: unknown, claims: Record<string, unknown> = {}) =>
    (await verify(await google.sign({ email, hd, ...claims })))?.emailVerified
  const believed: [email: string, hd: unknown][] = [
    ['ada@gmail.com', undefined],
    [' Ada@GMAIL.com ', undefined],
    ['ada@acme.example', 'acme.example'],
    ['ada@ACME.example', 'Acme.Example'],
    ['ada@b\u00fccher.example', 'xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'B\u00dcCHER.example'],
  ]
  for (const [email, hd] of believed) {
    assert.equal(await isBelieved(email, hd), true, `${email}, hd ${hd}`)
    assert.equal(await isBelieved(email, hd, { email_verified: false }), false, `${email}, hd ${hd}, not verified`)
    assert.equal(
      await isBelieved(email, hd, { email_verified: undefined }),
      false,
      `${email}, hd ${hd}, no email_verified`,
    )
  }
  const doubted: [email: string, hd: unknown][] = [
    ['ada@acme.example', undefined],
    ['ada@acme.example', 'other.example'],
    ['ada@mail.acme.example', 'acme.example'],
    ['ada@acme.example', 'mail.acme.example'],
    ['ada@acme.example', 'gmail.com'],
    ['ada@acme.example', ''],
    ['ada@acme.example', 'acme.example.'],
    ['ada@acme.example', 'ada@acme.example'],
    ['ada@acme.example', 'acme.e\uff58ample'],
    ['ada@kacme.example', '\u212aacme.example'],
    ['ada@gmail.com.acme.example', undefined],
    ['ada@notgmail.com', undefined],
    ['ada@googlemail.com', undefined],
    ...[true, 7, null, ['acme.example'], { domain: 'acme.example' }].map((hd): [string, unknown] => [
      'ada@acme.example',
      hd,
    ]),
  ]
  for (const [email, hd] of doubted) {
    assert.equal(await isBelieved(email, hd), false, `${email}, hd ${JSON.stringify(hd)}`)
  }
  const ofApple = await apple.sign({ email: 'ada@acme.example' })
  const expected = { clientIds: [apple.clientId], nonce: undefined, now }
  assert.equal((await providers.verify('apple', ofApple, expected))?.emailVerified, true, 'Apple needs no hd')
})

test('ignores invalid and missing addresses', async () => {
  for (const email of [
    undefined,
    null,
    '',
    7,
    ['ada@people.example'],
    'no address',
    '"quoted"@people.example',
    'a\u0000@b.example',
    '\ud800@b.example',
  ]) {
    const identity = await verify(await google.sign({ email }))
    assert.deepEqual([identity?.email, identity?.emailVerified], [null, false], JSON.stringify(email))
  }
})

test("accepts both spellings of Google's issuer, and no other issuer", async () => {
  const { issuers } = realProviders.google
  const real = createIdentityProviders({ google: { issuers, jwksUrl: google.jwksUrl }, logger })
  const expected = { clientIds: [google.clientId], nonce: undefined, now }
  const taken: string[] = []
  for (const iss of [
    'https://accounts.google.com',
    'accounts.google.com',
    'https://appleid.apple.com',
    google.issuer,
  ]) {
    if ((await real.verify('google', await google.sign({ iss }), expected)) !== null) taken.push(iss)
  }
  assert.deepEqual(taken, ['https://accounts.google.com', 'accounts.google.com'])
})

test('requires a client id of the tenant as audience, or as azp with several audiences', async () => {
  const { clientId } = google
  assert.equal(await isTaken({ aud: clientId, azp: 'an-android-app' }), true)
  assert.equal(await isTaken({ aud: [clientId] }), true)
  assert.equal(await isTaken({ aud: [clientId, 'x'], azp: clientId }), true)
  assert.equal(await isTaken({ aud: [clientId, 'x'], azp: 'x' }), false)
  assert.equal(await isTaken({ aud: [clientId, 'another'] }), false, 'without azp')
  for (const aud of ['x', '', [], ['x'], [[clientId]], { 0: clientId }, null, 7, undefined, `${clientId} `]) {
    assert.equal(await isTaken({ aud, azp: clientId }), false, JSON.stringify(aud))
  }
  const token = await google.sign()
  assert.equal(await providers.verify('google', token, { clientIds: [], nonce: undefined, now }), null)
})

test('tolerates a minute of clock skew and a day of age', async () => {
  const iat = Math.floor(now / 1000)
  assert.equal(await isTaken({ exp: iat - 59 }), true)
  assert.equal(await isTaken({ exp: iat - 60 }), false)
  assert.equal(await isTaken({ iat: iat + 60, exp: iat + 3600 }), true)
  assert.equal(await isTaken({ iat: iat + 61, exp: iat + 3600 }), false)
  assert.equal(await isTaken({ nbf: iat + 60 }), true)
  assert.equal(await isTaken({ nbf: iat + 61 }), false)
  assert.equal(await isTaken({ iat: iat - 86_460 }), true)
  assert.equal(await isTaken({ iat: iat - 86_461 }), false)
  for (const odd of [undefined, null, String(iat), 'soon', [iat]]) {
    assert.equal(await isTaken({ iat: odd }), false, `iat ${odd}`)
    assert.equal(await isTaken({ exp: odd }), false, `exp ${odd}`)
  }
})

test('requires a subject of 1 to 255 ASCII characters', async () => {
  for (const sub of ['1', 'x'.repeat(255), '001234.ab+c/d=.0123']) assert.equal(await isTaken({ sub }), true, sub)
  for (const sub of ['', 'x'.repeat(256), 7, null, undefined, ['1'], 'é', 'a\n', '1\u0000']) {
    assert.equal(await isTaken({ sub }), false, JSON.stringify(sub))
  }
})

test('uses the providers in the settings', async () => {
  await using service = await startTestService({ identityProviders: google.settings })
  const token = await google.sign({ sub: 'ada' })
  const expected = { clientIds: [google.clientId], nonce: undefined, now: service.clock.now() }
  assert.equal((await service.service.services.identityProviders.verify('google', token, expected))?.subject, 'ada')
})
