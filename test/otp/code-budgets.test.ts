import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** Budgets per network are tested separately, at the end. */
const limitsText = 'all=off,codes-per-recipient=5/h,wrong-codes-per-network=4/d,wrong-codes-per-recipient=6/d'
const scope = 'otp_signin'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ limitsText })
  const configuration = { otp: { maxVerifyAttempts: 10 }, security: { enumerationProtection: true } }
  tenant = await service.addTenant({ configuration })
})
after(() => service.close())

/** A client whose requests come from this address. */
const from = (clientIp: string, { secretKey } = tenant) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: secretKey, clientIp })
const issue = (email: string, client = tenant.client) => client.issueOtp({ scope, email })
const guess = (id: string, code: string, client = tenant.client) => client.verifyOtp({ id, scope, code })
const times = async (count: number, act: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index++) await act(index)
}

test('limits codes per recipient and hour, whichever network asks for them', async () => {
  const email = 'flooded@example.com'
  const { id } = await issue(email)
  await times(4, (index) => issue(email, from(`203.0.${index}.1`)))
  await changesNothing(service, async () => {
    const refusal = await refused(issue(email, from('198.51.100.1')), 'TOO_MANY_REQUESTS')
    assert.equal(refusal.retryAfter, 3600)
  })

  // Codes issued before keep working, and resends neither count nor are limited.
  const code = await service.codeOf(id)
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id, scope })
  await guess(id, code)
  // Other recipients, and the same recipient at another tenant, are not affected.
  await issue('quiet@example.com')
  await issue(email, (await service.addTenant()).client)

  service.clock.advance(3_600_000 - 60_000 - 1)
  const { retryAfter } = await refused(issue(email), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 1)
  service.clock.advance(1)
  await times(5, () => issue(email))
  await refused(issue(email), 'TOO_MANY_REQUESTS')
})

test('does not count resends', async () => {
  const email = 'patient@example.com'
  const { id } = await issue(email)
  await times(3, () => {
    service.clock.advance(60_000)
    return tenant.client.resendOtp({ id, scope })
  })
  await times(4, () => issue(email))
  await refused(issue(email), 'TOO_MANY_REQUESTS')
})

test('counts password resets separately from all other codes', async () => {
  const person = await addPerson(service, tenant)
  const { email } = person
  const stranger = from('203.0.113.1')
  const signedIn = stranger.withSession((await person.signIn()).accessToken)
  const challenge = () => stranger.resetPassword({ step: 'challenge', email })
  await times(4, () => issue(email, stranger))
  await signedIn.issueOtp({ scope: 'email_verification' })
  await refused(issue(email, stranger), 'TOO_MANY_REQUESTS')
  await refused(signedIn.issueOtp({ scope: 'email_verification' }), 'TOO_MANY_REQUESTS')
  await times(5, challenge)
  await refused(challenge(), 'TOO_MANY_REQUESTS')
})

test('counts decoys as codes', async () => {
  const email = 'nobody@example.com'
  const challenge = () => tenant.client.resetPassword({ step: 'challenge', email })
  await times(5, challenge)
  const { retryAfter } = await refused(challenge(), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 3600)
})

test('counts nothing for an address that gets no code', async () => {
  const open = await service.addTenant()
  const email = 'unknown@example.com'
  const body = { step: 'challenge' as const, email }
  await times(7, () => refused(open.client.resetPassword(body), 'RESET_PASSWORD_USER_NOT_FOUND'))
  await times(5, () => issue(email, open.client))
  await refused(issue(email, open.client), 'TOO_MANY_REQUESTS')
})

test('wrong codes block new codes for their network first, then for all; issued codes keep working', async () => {
  const email = 'guessed@example.com'
  const [here, nearby, elsewhere] = [from('192.0.2.1'), from('192.0.2.254'), from('198.51.100.1')]
  const { id } = await issue(email, here)
  const code = await service.codeOf(id)
  await times(3, () => refused(guess(id, 'wrong', here), 'OTP_INVALID_CODE'))
  await issue(email, here)
  await refused(guess(id, 'wrong', nearby), 'OTP_INVALID_CODE')
  await changesNothing(service, async () => {
    const { retryAfter } = await refused(issue(email, here), 'TOO_MANY_REQUESTS')
    assert.equal(retryAfter, 86_400)
    await refused(issue(email, nearby), 'TOO_MANY_REQUESTS')
  })
  await issue(email, elsewhere)

  await times(2, () => refused(guess(id, 'wrong', elsewhere), 'OTP_INVALID_CODE'))
  await refused(issue(email, elsewhere), 'TOO_MANY_REQUESTS')
  await refused(issue(email, from('2001:db8::1')), 'TOO_MANY_REQUESTS')
  // Past both budgets, guesses still count against the one-time password only, and its code is still right.
  await times(2, () => refused(guess(id, 'wrong', here), 'OTP_INVALID_CODE'))
  assert.deepEqual(await guess(id, code, here), { success: true })

  service.clock.advance(86_400_000)
  await issue(email, here)
})

test('counts wrong codes across all one-time passwords of a recipient, including decoys', async () => {
  const email = 'sprayed@example.com'
  await times(2, async () => {
    const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
    const verify = () => tenant.client.verifyOtp({ id, scope: 'reset_password', code: 'wrong' })
    await times(2, () => refused(verify(), 'OTP_INVALID_CODE'))
  })
  await refused(tenant.client.resetPassword({ step: 'challenge', email }), 'TOO_MANY_REQUESTS')
  // Sign-in codes are counted separately from resets.
  await issue(email)
})

test('counts no code that could not be stored', async () => {
  let isFailing = false
  const onStatement = (name: string) => {
    if (isFailing && /otp\.(add|issue)/.test(name)) throw new Error('broken on purpose')
  }
  await using broken = await startTestService({
    limitsText: 'all=off,codes-per-network=3/h,codes-per-recipient=1/h',
    hooks: { onStatement },
  })
  const own = await broken.addTenant()
  const person = await addPerson(broken, own)
  await person.prove()
  const { email, userId } = person
  broken.clock.advance(3_600_000)
  const failing = async (act: () => Promise<unknown>) => {
    isFailing = true
    await refused(act(), 'INTERNAL_SERVER')
    isFailing = false
  }
  const challenge = () => own.client.resetPassword({ step: 'challenge', email })
  const reset = () => broken.admin.sendPasswordReset({ ...own, userId })
  const signIn = () => own.client.issueOtp({ scope, email })
  // The first takes the code of anyone; then this network, which is known for the user, has its own.
  for (const act of [challenge, reset, signIn, signIn]) {
    await failing(act)
    await act()
  }
  await refused(signIn(), 'TOO_MANY_REQUESTS')
  await refused(challenge(), 'TOO_MANY_REQUESTS')
})
