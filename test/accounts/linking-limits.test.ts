import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scrape } from '../support/http/scrape.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { inNewNetwork } from '../support/new-network.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, enteredCode, newEmail, newPhone } from '../support/sign-in-methods.ts'

const HOUR = 3_600_000

/** Every limit and budget at its default. */
let google: IdentityProvider
let service: TestService
let tenant: TestTenant
before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({ identityProviders: google.settings, limitsText: '' })
  google.clock = service.clock
  tenant = await addOpenTenant(service, { google })
})
after(() => Promise.all([service.close(), google.close()]))

/** A user who signed up at Google, with a number that gets notices. */
async function addUser() {
  const phone = newPhone()
  const email = newEmail().replace('example.com', 'gmail.com')
  let tokens = 0
  const proof = async () =>
    ({ method: 'google', idToken: await google.sign({ sub: email, email, jti: `${tokens++}` }) }) as const
  const signIn = async () => inNewNetwork(service, tenant).signIn(await proof())
  const { accessToken } = await signIn()
  const client = inNewNetwork(service, tenant).withSession(accessToken)
  await client.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone }) })
  async function remove(method: 'google' | 'email') {
    const { identities } = await client.getAccount()
    await client.removeIdentity({
      identityId: identities.find((one) => one.method === method || one.id === method)!.id,
    })
  }
  async function notices() {
    await service.service.services.delivery.drain()
    const { messages } = await service.admin.listTestingChannelMessages({ recipient: phone })
    return messages.filter(({ scope }) => scope === null).length
  }
  return { client, proof, signIn, remove, notices }
}

test('links an account at a provider by its address 10 times an hour, counted apart from additions (threat I11)', async () => {
  const { client, signIn, remove, notices } = await addUser()
  for (let count = 0; count < 10; count++) {
    await remove('google')
    await signIn()
  }
  await signIn()
  assert.equal(await notices(), 20)
  await client.addIdentity({ method: 'password', password: 'a long password' })
  await remove('google')
  const { retryAfter } = await refused(signIn(), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 3600)
  assert.equal((await scrape(service)).value('tenantry_limited_total', '{limit="provider-links"}'), 1)
  assert.equal(await notices(), 22)
  service.clock.advance(HOUR)
  assert.deepEqual((await signIn()).user.methods, ['password', 'otp', 'google'])
})

test('counts each address that a linked account brings again (threat I11)', async () => {
  const { client, proof, remove, notices } = await addUser()
  // The number was the first addition of the hour.
  for (let count = 0; count < 9; count++) {
    await remove('email')
    await client.addIdentity(await proof())
  }
  await remove('email')
  await refused(client.addIdentity(await proof()), 'TOO_MANY_REQUESTS')
  assert.equal((await client.getAccount()).email, null)
  assert.equal(await notices(), 19)
})
