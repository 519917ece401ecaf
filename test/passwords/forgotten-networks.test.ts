import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { inNewNetwork } from '../support/new-network.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { newEmail } from '../support/sign-in-methods.ts'

const HOUR = 3_600_000
const password = 'correct horse'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ limitsText: 'all=off,codes-per-network=1/h,codes-per-recipient=2/h' })
  tenant = await service.addTenant()
})
after(() => service.close())

const elsewhere = () => inNewNetwork(service, tenant)
const issue = (client: TenantryClient, email: string) => client.issueOtp({ scope: 'otp_signin', email })

/** Proves the address from this client's network and signs in. */
async function enter(client: TenantryClient, email: string) {
  const { id } = await issue(client, email)
  await client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  return client.signIn({ method: 'otp', token: id })
}

/** Which of these networks get a code although strangers used up the budget of the recipient. */
async function known(email: string, networks: Readonly<Record<string, TenantryClient>>): Promise<string[]> {
  service.clock.advance(HOUR)
  for (const client of [elsewhere(), elsewhere()]) await issue(client, email)
  const names: string[] = []
  for (const [name, client] of Object.entries(networks)) {
    const answer = await issue(client, email).catch(({ code }) => String(code))
    if (answer === 'TOO_MANY_REQUESTS') continue
    assert.ok(typeof answer === 'object', String(answer))
    names.push(name)
  }
  return names
}

test('forgets the networks of a squatter when the owner proves the address', async () => {
  const [email, squatter, owner] = [newEmail(), elsewhere(), elsewhere()]
  await squatter.signUp({ method: 'password', email, password })
  assert.deepEqual(await known(email, { squatter, owner }), ['squatter'])
  service.clock.advance(HOUR)
  await enter(owner, email)
  assert.deepEqual(await known(email, { squatter, owner }), ['owner'])
})

test('forgets the networks of a thief when the owner undoes a change of address', async () => {
  const [email, thief, owner] = [newEmail(), elsewhere(), elsewhere()]
  const { change, undoOf } = addressTakeover(service, tenant)
  await enter(owner, email)
  await enter(thief, email)
  assert.deepEqual(await known(email, { thief, owner }), ['thief', 'owner'])
  service.clock.advance(HOUR)
  const { accessToken } = await enter(thief, email)
  await change('email', thief.withSession(accessToken))
  await owner.recoverAccount(await undoOf(email))
  assert.deepEqual(await known(email, { thief, owner }), [])
})
