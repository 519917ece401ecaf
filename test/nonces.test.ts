import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { refused } from './refused.ts'
import { startTestService, type TestService, type TestTenant } from './service.ts'
import { changesNothing } from './stored-rows.ts'
import { addOpenTenant } from './ways-in.ts'

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

test('a nonce claim sent as the nonce is refused, so a stolen token does not come with its nonce', async () => {
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

test('`plainNonce` accepts it, at that provider of that tenant, and clients do not see the setting', async () => {
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
