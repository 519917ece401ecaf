import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant } from '../support/sign-in-methods.ts'

let google: IdentityProvider
let apple: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;[google, apple] = await Promise.all([startIdentityProvider('google'), startIdentityProvider('apple')])
  service = await startTestService({ identityProviders: { ...google.settings, ...apple.settings } })
  tenant = await addOpenTenant(service, { google, apple })
})
after(() => Promise.all([service, google, apple].map((peer) => peer.close())))

/** Whether a token with these claims is genuine when this nonce is sent with it. */
async function isTaken(claims: Record<string, unknown>, nonce?: string, plainNonce?: boolean): Promise<boolean> {
  const expected = { clientIds: [google.clientId], nonce, plainNonce, now: google.clock.now() }
  const { identityProviders } = service.service.services
  return (await identityProviders.verify('google', await google.sign(claims), expected)) !== null
}

test('requires the SHA-256 of the nonce in lower-case hex or base64url', async () => {
  const nonce = randomUUID()
  const hashed = hash('sha256', nonce, 'hex')
  const inBase64Url = hash('sha256', nonce, 'base64url')
  assert.equal(await isTaken({ nonce: hashed }, nonce), true)
  assert.equal(await isTaken({ nonce: inBase64Url }, nonce), true)
  assert.equal(await isTaken({ nonce: hash('sha256', 'Zoë 🔑', 'hex') }, 'Zoë 🔑'), true, 'the hash of its UTF-8')
  assert.equal(await isTaken({ nonce }, nonce), false, 'the nonce itself')
  assert.equal(await isTaken({ nonce: hashed }, hashed), false, 'the hash, sent as the nonce')
  assert.equal(await isTaken({ nonce: hashed }), false, 'nonce only in the token')
  assert.equal(await isTaken({}, nonce), false, 'only sent')
  assert.equal(await isTaken({ nonce: hash('sha256', randomUUID(), 'hex') }, nonce), false, 'of another nonce')
  assert.equal(await isTaken({ nonce: hashed.toUpperCase() }, nonce), false, 'in upper case')
  assert.equal(await isTaken({ nonce: `${inBase64Url}=` }, nonce), false, 'padded')
  assert.equal(await isTaken({ nonce: hash('sha1', nonce, 'hex') }, nonce), false, 'SHA-1')
  assert.equal(await isTaken({ nonce }, hashed), false, 'the hash of the claim')
  for (const odd of [null, true, 7, '', [hashed], { hashed }]) {
    assert.equal(await isTaken({ nonce: odd }, nonce), false, String(odd))
  }
  assert.equal(await isTaken({ nonce: null }), false, 'null is a nonce too')
})

test('accepts the raw nonce with `plainNonce`', async () => {
  const nonce = randomUUID()
  const isTakenPlain = (claims: Record<string, unknown>, sent?: string) => isTaken(claims, sent, true)
  assert.equal(await isTakenPlain({ nonce }, nonce), true)
  assert.equal(await isTakenPlain({ nonce: hash('sha256', nonce, 'hex') }, nonce), true)
  assert.equal(await isTakenPlain({ nonce: hash('sha256', nonce, 'base64url') }, nonce), true)
  assert.equal(await isTakenPlain({}), true, 'without any')
  assert.equal(await isTakenPlain({ nonce }), false, 'only in the token')
  assert.equal(await isTakenPlain({}, nonce), false, 'only sent')
  assert.equal(await isTakenPlain({ nonce: randomUUID() }, nonce), false, 'another')
  for (const odd of [null, true, [nonce]]) assert.equal(await isTakenPlain({ nonce: odd }, nonce), false, String(odd))
})

test('rejects the nonce claim of a stolen token as the nonce', async () => {
  const nonce = randomUUID()
  const guest = tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
  const plain = { method: 'google' as const, idToken: await google.sign({ nonce }), nonce }
  const hashed = hash('sha256', nonce, 'hex')
  const read = { method: 'google' as const, idToken: await google.sign({ nonce: hashed }), nonce: hashed }
  await changesNothing(service, async () => {
    for (const proof of [plain, read]) {
      await refused(tenant.client.signIn(proof), 'INVALID_SOCIAL_TOKEN')
      await refused(guest.addIdentity(proof), 'INVALID_SOCIAL_TOKEN')
    }
  })
  assert.equal((await tenant.client.signIn({ ...read, nonce })).isNewUser, true)
})

test('applies `plainNonce` to one provider of one tenant, and hides it from clients', async () => {
  const { client, tenantId } = await addOpenTenant(service, { google, apple })
  const nonce = randomUUID()
  const before = await client.getTenantConfiguration()
  await service.admin.updateConfiguration({ tenantId }, { auth: { google: { plainNonce: true } } })
  assert.deepEqual(await client.getTenantConfiguration(), before)

  assert.equal(
    (await client.signIn({ method: 'google', idToken: await google.sign({ nonce }), nonce })).isNewUser,
    true,
  )
  const { accessToken } = await client.signIn({ method: 'guest' })
  const linked = { method: 'google' as const, idToken: await google.sign({ nonce }), nonce }
  assert.equal((await client.addIdentity(linked, { accessToken })).guest, false)

  const idToken = await google.sign({ nonce })
  await changesNothing(service, async () => {
    const atApple = { method: 'apple' as const, idToken: await apple.sign({ nonce }), nonce }
    await refused(client.signIn(atApple), 'INVALID_SOCIAL_TOKEN')
    await refused(tenant.client.signIn({ method: 'google', idToken, nonce }), 'INVALID_SOCIAL_TOKEN')
  })
  for (const off of [false, null]) {
    await service.admin.updateConfiguration({ tenantId }, { auth: { google: { plainNonce: off } } })
    await changesNothing(service, () =>
      refused(client.signIn({ method: 'google', idToken, nonce }), 'INVALID_SOCIAL_TOKEN'),
    )
  }
})
