import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { budgets } from '../../contract/limits.ts'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { createLocalRateLimiter } from '../../server/limits/local-rate-limiter.ts'
import { inNewNetwork } from '../support/new-network.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { newEmail } from '../support/sign-in-methods.ts'

const DAY = 86_400_000
/** Every budget at its default. Rate limits per client address are off, because they would only slow the attackers. */
const limitsText = Object.entries(budgets).reduce((text, [name, quota]) => `${text},${name}=${quota}`, 'all=off')
const password = 'correct horse'
const newPassword = 'battery staple'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService({ limitsText })
  tenant = await service.addTenant({ configuration: { otp: { maxVerifyAttempts: 10 } } })
})
after(() => service.close())

const fromNewNetwork = () => inNewNetwork(service, tenant)
const repeat = async (count: number, act: () => Promise<unknown>) => {
  for (let time = 0; time < count; time++) await act()
}
const signIn = (client: TenantryClient, email: string, given = password) =>
  client.signIn({ method: 'password', email, password: given })
const fail = (count: number, client: TenantryClient, email: string) =>
  repeat(count, () => refused(signIn(client, email, 'wrong'), 'INVALID_CREDENTIALS'))

/** Requests a code and enters it. Returns the OTP id. */
async function proven(client: TenantryClient, email: string, scope: 'otp_signin' | 'reset_password'): Promise<string> {
  const { id } =
    scope === 'otp_signin'
      ? await client.issueOtp({ scope, email })
      : await client.resetPassword({ step: 'challenge', email })
  await client.verifyOtp({ id, scope, code: await service.codeOf(id) })
  return id
}
async function reset(client: TenantryClient, email: string): Promise<void> {
  const token = await proven(client, email, 'reset_password')
  await client.resetPassword({ step: 'confirm', token, password: newPassword })
}

/** A user with a verified address who signed in from a home network and signed out. */
async function addVictim() {
  const email = newEmail()
  const { id } = await service.admin.createUser({ tenantId: tenant.tenantId }, { email, password })
  const home = fromNewNetwork()
  const { accessToken } = await signIn(home, email)
  const signedIn = home.withSession(accessToken)
  const { id: otpId } = await signedIn.issueOtp({ scope: 'email_verification' })
  await signedIn.verifyOtp({ id: otpId, scope: 'email_verification', code: await service.codeOf(otpId) })
  await signedIn.signOut({ scope: 'all' })
  service.clock.advance(DAY)
  return { id, email, home }
}

/** Uses up the codes of a scope and the wrong codes of a day. */
async function useUpCodes(ask: (client: TenantryClient) => Promise<{ id: string }>, scope: Scope) {
  for (const client of [fromNewNetwork(), fromNewNetwork(), fromNewNetwork()]) {
    const issued: string[] = []
    await repeat(10, async () => issued.push((await ask(client)).id))
    for (const id of issued) {
      await repeat(10, () => refused(client.verifyOtp({ id, scope, code: 'wrong' }), 'OTP_INVALID_CODE'))
    }
  }
  // 30 codes in an hour, and 300 wrong codes in a day.
  assert.equal((await refused(ask(fromNewNetwork()), 'TOO_MANY_REQUESTS')).retryAfter, DAY / 1000)
}
type Scope = 'otp_signin' | 'reset_password'
const useUpSignInCodes = (email: string) =>
  useUpCodes((client) => client.issueOtp({ scope: 'otp_signin', email }), 'otp_signin')
const useUpResets = (email: string) =>
  useUpCodes((client) => client.resetPassword({ step: 'challenge', email }), 'reset_password')
async function useUpPasswords(email: string) {
  for (let count = 0; count < 5; count++) await fail(10, fromNewNetwork(), email)
  await refused(signIn(fromNewNetwork(), email), 'TOO_MANY_REQUESTS')
}

test('lets the owner sign in from a known network by password, by code and after a reset, whatever strangers used up (threat I12)', async () => {
  const { id, email, home } = await addVictim()
  await useUpSignInCodes(email)
  await useUpResets(email)
  await useUpPasswords(email)
  assert.equal((await signIn(home, email)).user.id, id)
  const token = await proven(home, email, 'otp_signin')
  assert.equal((await home.signIn({ method: 'otp', token })).user.id, id)
  await reset(home, email)
  assert.equal((await signIn(home, email, newPassword)).user.id, id)
})

test('lets the owner sign in from an unknown network after a reset, although strangers used up sign-in codes and passwords (threat I12)', async () => {
  const { id, email } = await addVictim()
  await useUpSignInCodes(email)
  await useUpPasswords(email)
  const abroad = fromNewNetwork()
  await refused(signIn(abroad, email), 'TOO_MANY_REQUESTS')
  await reset(abroad, email)
  assert.equal((await signIn(abroad, email, newPassword)).user.id, id)
  // The network is known now.
  await useUpPasswords(email)
  assert.equal((await signIn(abroad, email, newPassword)).user.id, id)
})

test('clears the failures of the reset’s network, of known networks, and of unknown networks together', async () => {
  const { email, home } = await addVictim()
  const [here, stranger] = [fromNewNetwork(), fromNewNetwork()]
  for (const client of [home, here, stranger]) await fail(10, client, email)
  for (let count = 0; count < 3; count++) await fail(10, fromNewNetwork(), email)
  for (const [client, seconds] of [
    [home, 900],
    [here, 900],
    [stranger, 900],
    [fromNewNetwork(), 3600],
  ] as const) {
    assert.equal((await refused(signIn(client, email), 'TOO_MANY_REQUESTS')).retryAfter, seconds)
  }
  await reset(here, email)
  await refused(signIn(stranger, email, newPassword), 'TOO_MANY_REQUESTS')
  for (const client of [home, here, fromNewNetwork()]) {
    await fail(9, client, email)
    await signIn(client, email, newPassword)
  }
})

test('clears failures only when a reset is confirmed, and only those of its account', async () => {
  const [{ email }, { email: neighbour }] = [await addVictim(), await addVictim()]
  const [here, there] = [fromNewNetwork(), fromNewNetwork()]
  for (const address of [email, neighbour]) await fail(10, here, address)
  const { id } = await here.resetPassword({ step: 'challenge', email })
  const confirm = () => here.resetPassword({ step: 'confirm', token: id, password: newPassword })
  await refused(confirm(), 'OTP_NOT_CONSUMABLE')
  await refused(signIn(here, email), 'TOO_MANY_REQUESTS')
  await here.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await refused(signIn(here, email), 'TOO_MANY_REQUESTS')
  await confirm()
  await refused(signIn(here, neighbour), 'TOO_MANY_REQUESTS')
  await signIn(here, email, newPassword)
  await fail(10, there, email)
  await refused(confirm(), 'OTP_ALREADY_CONSUMED')
  await refused(signIn(there, email, newPassword), 'TOO_MANY_REQUESTS')
})

test('completes a reset although clearing the failures fails', async () => {
  const clear = () => {
    throw new Error('out of reach')
  }
  await using failing = await startTestService({ limitsText, limiter: { ...createLocalRateLimiter(), clear } })
  const other = await failing.addTenant()
  const email = newEmail()
  await failing.admin.createUser(other, { email, password })
  const client = inNewNetwork(failing, other)
  const { id } = await client.resetPassword({ step: 'challenge', email })
  await client.verifyOtp({ id, scope: 'reset_password', code: await failing.codeOf(id) })
  const done = await client.resetPassword({ step: 'confirm', token: id, password: newPassword })
  assert.deepEqual(done, { success: true })
  await signIn(client, email, newPassword)
})
