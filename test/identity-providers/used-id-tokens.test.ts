import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { changesNothing, storedRows } from '../support/databases/stored-rows.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { type ServiceWithProviders, startServiceWithProviders } from '../support/service-with-providers.ts'
import { addOpenTenant, atOnce, newEmail, onlyWinner, signInByCode, userIdsOf } from '../support/sign-in-methods.ts'

const hour = 3_600_000
const clockSkew = 60_000
let google: IdentityProvider
let apple: IdentityProvider
let facebook: IdentityProvider
let service: TestService
let tenant: TestTenant
let started: ServiceWithProviders

before(async () => {
  started = await startServiceWithProviders()
  ;({ service, tenant, google, apple, facebook } = started)
})
after(() => started.close())

const proofOf = async (provider: IdentityProvider, claims: Record<string, unknown> = {}) => ({
  method: provider.provider,
  idToken: await provider.sign(claims),
})
const guest = async () => tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
const usedTokens = (at = tenant) =>
  storedRows(
    service,
    'SELECT token_hash, expires_at FROM used_id_tokens WHERE tenant_id = ? ORDER BY token_hash',
    at.tenantId,
  )

test('accepts an ID token once, and another token of the same account', async () => {
  for (const provider of [google, apple, facebook]) {
    const sub = randomUUID()
    const [first, second] = [await proofOf(provider, { sub }), await proofOf(provider, { sub })]
    const { user } = await tenant.client.signIn(first)
    const own = randomUUID()
    const [linked, stepped] = [await proofOf(provider, { sub: own }), await proofOf(provider, { sub: own })]
    const { session } = await (await guest()).addIdentity(linked)
    const client = tenant.client.withSession(session!.accessToken)
    await client.stepUp(stepped)
    await changesNothing(service, async () => {
      for (const used of [first, linked, stepped]) {
        await refused(tenant.client.signIn(used), 'INVALID_SOCIAL_TOKEN')
        await refused(client.addIdentity(used), 'INVALID_SOCIAL_TOKEN')
        await refused(client.stepUp(used), 'INVALID_SOCIAL_TOKEN')
      }
    })
    assert.equal((await tenant.client.signIn(second)).user.id, user.id)
  }
})

test('accepts one of 64 parallel uses of an ID token', async () => {
  for (const claims of [{}, { email: newEmail() }]) {
    const proof = await proofOf(google, claims)
    const users = userIdsOf(service, tenant)
    const { winner, refusals } = onlyWinner(await atOnce(64, () => tenant.client.signIn(proof)))
    assert.deepEqual([refusals.length, ...new Set(refusals)], [63, 'INVALID_SOCIAL_TOKEN'])
    assert.deepEqual(userIdsOf(service, tenant), [...users, winner.user.id].sort())
    assert.equal(storedRows(service, 'SELECT id FROM sessions WHERE user_id = ?', winner.user.id).length, 1)
  }
})

test('stores only the hash of a token until it expires', async () => {
  const at = await addOpenTenant(service, { google })
  const proof = await proofOf(google)
  const expiresAt = Math.floor(service.clock.now() / 1000) * 1000 + hour + clockSkew
  await at.client.signIn(proof)
  const [row, ...more] = usedTokens(at)
  assert.deepEqual(
    [row!['token_hash'], Number(row!['expires_at']), more],
    [hash('sha256', proof.idToken, 'hex'), expiresAt, []],
  )
})

test('rejects a used token until it expires, and deletes its hash 25 hours later', async () => {
  const at = await addOpenTenant(service, { google })
  const start = Math.floor(service.clock.now() / 1000) * 1000
  const [used, unused] = [await proofOf(google), await proofOf(google)]
  await at.client.signIn(used)
  const round = () => service.service.services.housekeeping.run()
  service.clock.set(start + hour + clockSkew - 1)
  await round()
  await refused(at.client.signIn(used), 'INVALID_SOCIAL_TOKEN')
  assert.equal((await at.client.signIn(unused)).isNewUser, true, 'a token of the same age is still accepted')

  service.clock.set(start + hour + clockSkew + 25 * hour)
  await round()
  assert.equal(usedTokens(at).length, 2)
  service.clock.advance(1)
  await round()
  assert.equal(usedTokens(at).length, 0)
  await refused(at.client.signIn(used), 'INVALID_SOCIAL_TOKEN')
})

test('leaves the token unused after a refused sign-in or link', async () => {
  const [email, sub] = [newEmail(), randomUUID()]
  const { user } = await signInByCode(service, tenant, { email })
  const who = { tenantId: tenant.tenantId, userId: user.id }
  const restricted = await proofOf(google, { email })
  await service.admin.updateUser(who, { restrictedCapabilities: ['sign_in'] })
  await changesNothing(service, () => refused(tenant.client.signIn(restricted), 'RESTRICTED_CAPABILITY'))
  await service.admin.updateUser(who, { restrictedCapabilities: [] })
  assert.equal((await tenant.client.signIn(restricted)).user.id, user.id)

  const owner = await tenant.client.signIn(await proofOf(google, { sub }))
  const elsewhere = await proofOf(google, { sub })
  const client = await guest()
  await changesNothing(service, () => refused(client.addIdentity(elsewhere), 'IDENTITY_LINKED_ELSEWHERE'))
  assert.equal((await tenant.client.signIn(elsewhere)).user.id, owner.user.id)

  const misused = await proofOf(google, { nonce: 'n' })
  await changesNothing(service, () => refused(tenant.client.signIn(misused), 'INVALID_SOCIAL_TOKEN'))
})

test('tracks used tokens per tenant', async () => {
  const [one, two] = [await addOpenTenant(service, { google }), await addOpenTenant(service, { google })]
  const proof = await proofOf(google)
  for (const { client } of [one, two]) assert.equal((await client.signIn(proof)).isNewUser, true)
  for (const { client } of [one, two]) await refused(client.signIn(proof), 'INVALID_SOCIAL_TOKEN')
})

test('erases used tokens with their tenant', async () => {
  const [doomed, bystander] = [await addOpenTenant(service, { google }), await addOpenTenant(service, { google })]
  for (const { client } of [doomed, bystander]) await client.signIn(await proofOf(google))
  await service.admin.deleteTenant(doomed)
  service.clock.advance(300_001)
  await service.service.services.housekeeping.run()
  assert.deepEqual([usedTokens(doomed).length, usedTokens(bystander).length], [0, 1])
})
