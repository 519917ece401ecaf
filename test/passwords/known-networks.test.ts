import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { inNewNetwork } from '../support/new-network.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { atOnce, newEmail, newPhone, type Recipient } from '../support/sign-in-methods.ts'

const DAY = 86_400_000
/** Small budgets in the same relation as the defaults: one network has a smaller share than all networks together. */
const limitsText =
  'all=off,codes-per-network=2/h,codes-per-recipient=4/h,wrong-codes-per-network=2/d,wrong-codes-per-recipient=4/d'
const scope = 'otp_signin'
const statements: string[] = []
let service: TestService
let tenant: TestTenant

before(async () => {
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  service = await startTestService({ limitsText, hooks })
  const configuration = { otp: { maxVerifyAttempts: 10 }, security: { enumerationProtection: true } }
  tenant = await service.addTenant({ configuration })
})
after(() => service.close())
// Each test starts with full budgets.
beforeEach(() => service.clock.advance(DAY))

const elsewhere = () => inNewNetwork(service, tenant)
const issue = (client: TenantryClient, to: Recipient) => client.issueOtp({ scope, ...to })
const challenge = (client: TenantryClient, email: string) => client.resetPassword({ step: 'challenge', email })

/** Proves the address from this client's network and signs in, which creates the user. */
async function enter(client: TenantryClient, to: Recipient) {
  const { id } = await issue(client, to)
  await client.verifyOtp({ id, scope, code: await service.codeOf(id) })
  return client.signIn({ method: 'otp', token: id })
}
/** A user with a verified address and an active session from the client's network, and full budgets. */
async function atHome(to: Recipient) {
  const home = elsewhere()
  const session = await enter(home, to)
  service.clock.advance(DAY)
  return { home, session }
}
const guess = (client: TenantryClient, { id }: { id: string }) =>
  refused(client.verifyOtp({ id, scope, code: 'wrong' }), 'OTP_INVALID_CODE')
async function signOut(home: TenantryClient, session: SessionAnswer): Promise<void> {
  const { accessToken } = await home.refreshSession(session)
  await home.withSession(accessToken).signOut({ scope: 'this' })
}
/** Uses up all codes of a recipient from two new networks. */
async function useUp(ask: (client: TenantryClient) => Promise<unknown>): Promise<void> {
  for (const client of [elsewhere(), elsewhere()]) {
    await ask(client)
    await ask(client)
    assert.equal((await refused(ask(client), 'TOO_MANY_REQUESTS')).retryAfter, 3600)
  }
  await refused(ask(elsewhere()), 'TOO_MANY_REQUESTS')
}

test('limits one network to a share of a recipient’s codes; refused requests do not count', async () => {
  const email = newEmail()
  const ask = (client: TenantryClient) => issue(client, { email })
  const late = elsewhere()
  await useUp(ask)
  service.clock.advance(1_800_000)
  for (let count = 0; count < 3; count++) await refused(ask(late), 'TOO_MANY_REQUESTS')
  service.clock.advance(1_800_000)
  await ask(late)
  await ask(late)
  await refused(ask(late), 'TOO_MANY_REQUESTS')
})

for (const [kind, newAddress] of [
  ['an e-mail address', () => ({ email: newEmail() })],
  ['a phone number', () => ({ phone: newPhone() })],
] as const) {
  test(`sends a known network its share of codes to ${kind} after strangers used up the budget`, async () => {
    const to = newAddress()
    const { home } = await atHome(to)
    await useUp((client) => issue(client, to))
    await issue(home, to)
    await issue(home, to)
    await refused(issue(home, to), 'TOO_MANY_REQUESTS')
    await refused(issue(elsewhere(), to), 'TOO_MANY_REQUESTS')
  })
}

test('sends a known network its share of password resets after strangers used up the budget', async () => {
  const email = newEmail()
  const { home, session } = await atHome({ email })
  await signOut(home, session)
  await useUp((client) => challenge(client, email))
  await challenge(home, email)
  await challenge(home, email)
  await refused(challenge(home, email), 'TOO_MANY_REQUESTS')
})

test('gives each known network a separate share', async () => {
  const email = newEmail()
  const known = []
  for (let count = 0; count < 4; count++) known.push((await atHome({ email })).home)
  await useUp((client) => issue(client, { email }))
  for (const home of known) {
    await issue(home, { email })
    await issue(home, { email })
    await refused(issue(home, { email }), 'TOO_MANY_REQUESTS')
  }
})

test('sends new codes to a known network despite wrong codes of strangers', async () => {
  const email = newEmail()
  const { home } = await atHome({ email })
  const first = await issue(home, { email })
  for (const client of [elsewhere(), elsewhere()]) {
    await guess(client, first)
    await guess(client, first)
  }
  assert.equal((await refused(issue(elsewhere(), { email }), 'TOO_MANY_REQUESTS')).retryAfter, DAY / 1000)
  await issue(home, { email })
  service.clock.advance(3_600_000)
  const second = await issue(home, { email })
  await guess(home, second)
  await issue(home, { email })
  await guess(home, second)
  // The wrong codes of the known network still count.
  service.clock.advance(3_600_000)
  await refused(issue(home, { email }), 'TOO_MANY_REQUESTS')
})

/** Refreshes a session until it ends, 180 days after the sign-in. */
async function usedToItsEnd(home: TenantryClient, session: SessionAnswer): Promise<void> {
  const endsAt = service.clock.now() - DAY + 180 * DAY
  let { refreshToken } = session
  while (service.clock.now() + 20 * DAY < endsAt) {
    service.clock.advance(20 * DAY)
    refreshToken = (await home.refreshSession({ refreshToken })).refreshToken
  }
  service.clock.set(endsAt)
}

test('knows a network for 30 days after its session ended by sign-out, inactivity or absolute expiry', async () => {
  const email = newEmail()
  const ends: [days: number, end: (home: TenantryClient, session: SessionAnswer) => Promise<unknown>][] = [
    [30, signOut],
    [60, async () => 'unused for 30 days'],
    [30, usedToItsEnd],
  ]
  for (const [days, end] of ends) {
    service.clock.advance(DAY)
    const startedAt = service.clock.now()
    const { home, session } = await atHome({ email })
    await end(home, session)
    const from = days === 60 ? startedAt : service.clock.now()
    service.clock.set(from + days * DAY - 1)
    await service.service.services.housekeeping.run()
    await useUp((client) => issue(client, { email }))
    await issue(home, { email })
    service.clock.advance(1)
    await refused(issue(home, { email }), 'TOO_MANY_REQUESTS')
  }
})

/** Clients in new networks with sessions of an account whose address is not verified. */
async function squat(email: string, count: number): Promise<TenantryClient[]> {
  await service.admin.createUser(tenant, { email, password: 'correct horse' })
  const clients = Array.from({ length: count }, () => elsewhere())
  for (const client of clients) await client.signIn({ method: 'password', email, password: 'correct horse' })
  return clients
}

test('gives all networks of an account with an unverified address one shared extra budget of codes', async () => {
  const email = newEmail()
  const squats = await squat(email, 4)
  let sent = 0
  for (const client of [elsewhere(), elsewhere(), ...squats]) {
    const asked = await atOnce(3, () => issue(client, { email }))
    sent += asked.filter((answer) => typeof answer !== 'string').length
  }
  assert.equal(sent, 8, 'four for strangers, four for networks of the account')
})

test('gives all networks of an account with an unverified address one shared extra budget of wrong codes', async () => {
  const email = newEmail()
  const [first, ...others] = await squat(email, 3)
  const sent = await issue(first!, { email })
  for (const client of [elsewhere(), elsewhere(), ...others]) {
    await guess(client, sent)
    await guess(client, sent)
  }
  await refused(issue(first!, { email }), 'TOO_MANY_REQUESTS')
})

test('does not treat a network as known for the address of another user', async () => {
  const [email, other] = [newEmail(), newEmail()]
  const { home } = await atHome({ email })
  const { accessToken } = await enter(home, { email })
  await useUp((client) => issue(client, { email: other }))
  await refused(home.withSession(accessToken).changeEmail({ email: other }), 'TOO_MANY_REQUESTS')
})

/** The statements of a request, without those of background tasks. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  await service.service.services.delivery.drain()
  statements.length = 0
  await act()
  return statements.filter((name) => !/^(postgres\.)?(outbox|inbox|sqlite|directory|limitLog)\./.test(name))
}

test('reads sessions only when the shared budget is used up', async () => {
  const email = newEmail()
  const { home } = await atHome({ email })
  const ask = () => issue(home, { email })
  let sent = { id: '' }
  const common = await statementsOf(async () => {
    sent = await ask()
  })
  assert.ok(!common.includes('session.knownNetwork'))
  const [one, other] = [elsewhere(), elsewhere()]
  for (const client of [one, one, other]) await issue(client, { email })
  for (const client of [one, one, other, other]) await guess(client, sent)
  // Codes and wrong codes of the recipient are both used up: sessions are read once.
  const known = await statementsOf(ask)
  assert.deepEqual(
    known.filter((name) => !common.includes(name)),
    ['user.findByEmail', 'session.knownNetwork'],
  )
})

test('refuses known and unknown addresses with the same answer and statements', async () => {
  const [taken, free] = [newEmail(), newEmail()]
  await atHome({ email: taken })
  const refusals = []
  for (const email of [taken, free]) {
    await useUp((client) => challenge(client, email))
    const client = elsewhere()
    let answer: unknown
    const asked = await statementsOf(async () => {
      const { code, message, retryAfter } = await refused(challenge(client, email), 'TOO_MANY_REQUESTS')
      answer = { code, message, retryAfter }
    })
    refusals.push({ answer, asked })
  }
  assert.deepEqual(refusals[0], refusals[1])
  assert.ok(refusals[0]!.asked.includes('session.knownNetwork'))
})
