import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSession } from '../../packages/client/src/index.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  expireAccessToken,
  openSession,
  refreshes,
  signedInSession,
  storedIn,
  type TestStorage,
  testStorage,
  userOf,
} from '../support/session-client.ts'
import { addOpenTenant, newEmail } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant
let person: Person

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
  person = await addPerson(service, tenant)
})
after(() => service.close())

const password = () => ({ method: 'password' as const, email: person.email, password: person.password })

const signedIn = () => signedInSession(service, tenant, person)
const reopened = (storage: TestStorage) => openSession(service, tenant, storage)

test('starts with a sign-in, is restored from the storage, and ends with a sign-out', async () => {
  const { storage, session } = await signedIn()
  const { session: other } = await reopened(storage)
  assert.equal(userOf(session), person.userId)
  assert.equal(userOf(other), person.userId)
  assert.equal((await other.client.getAccount()).id, person.userId)
  const token = await other.accessToken()
  await other.signOut()
  assert.deepEqual(other.state, { status: 'signedOut', reason: 'signedOut' })
  assert.deepEqual([storage.items.size, await other.accessToken()], [0, null])
  await refused(tenant.client.withSession(token).getAccount(), 'INVALID_USER_TOKEN')
})

test('is loading until the storage was read, and reports each change once', async () => {
  const storage = testStorage()
  const session = createSession(tenant.client, { storage })
  const seen: unknown[] = []
  session.onChange(({ status }) => seen.push(status))
  const stop = session.onChange(() => seen.push('never'))
  stop()
  assert.deepEqual(session.state, { status: 'loading' })
  assert.deepEqual(await session.ready(), { status: 'signedOut', reason: 'none' })
  await session.client.signIn(password())
  const { state } = session
  await session.client.getAccount()
  assert.equal(session.state, state)
  await session.signOut()
  assert.deepEqual(seen, ['signedOut', 'signedIn', 'signedOut'])
})

test('starts with every answer that contains a session', async () => {
  const { session } = await signedIn()
  await session.client.signUp({ method: 'password', email: 'new@example.com', password: 'correct horse' })
  assert.equal(session.state.status === 'signedIn' && session.state.user.email, 'new@example.com')

  const guest = await session.client.signIn({ method: 'guest' })
  const { refreshToken } = guest
  await session.client.addIdentity({ method: 'password', email: 'guest@example.com', password: 'correct horse' })
  assert.ok(session.state.status === 'signedIn' && !session.state.user.guest)
  await refused(tenant.client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
  await session.client.getAccount()

  await session.client.signIn({ method: 'guest' })
  const { id } = await session.client.changeEmail({ email: 'second-guest@example.com' })
  await session.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  assert.ok(session.state.status === 'signedIn' && session.state.user.email === 'second-guest@example.com')
  await session.client.getAccount()
})

test('starts with the session that the first password of a guest answers', async () => {
  const { client } = await service.addTenant({ methods: ['password', 'guest'] })
  const session = createSession(client, { storage: testStorage() })
  const { refreshToken } = await session.client.signIn({ method: 'guest' })
  const { id } = await session.client.changeEmail({ email: 'third-guest@example.com' })
  await session.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await session.client.changePassword({ password: 'correct horse' })
  await refused(client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
  await session.client.getAccount()
})

type Client = TestTenant['client']

/** Calls that answer a new session of a guest. */
const upgrades: Record<string, (guest: Client) => Promise<() => Promise<unknown>>> = {
  addIdentity: async (guest) => () =>
    guest.addIdentity({ method: 'password', email: newEmail(), password: 'correct horse' }),
  verifyOtp: async (guest) => {
    const { id } = await guest.changeEmail({ email: newEmail() })
    const code = await service.codeOf(id)
    return () => guest.verifyOtp({ id, scope: 'email_verification', code })
  },
}

/** A guest whose upgrade the service has answered, and the answer has not arrived. */
async function upgradingGuest(prepare: (guest: Client) => Promise<() => Promise<unknown>>) {
  const { session, storage, recorded } = await openSession(service, tenant, testStorage())
  await session.client.signIn({ method: 'guest' })
  const upgrade = await prepare(session.client)
  const [answered, arrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  recorded.intercept = async (_path, send) => {
    const answer = await send()
    answered.resolve()
    await arrives.promise
    return answer
  }
  const upgraded = upgrade()
  await answered.promise
  recorded.intercept = undefined
  async function arrive(): Promise<void> {
    arrives.resolve()
    await upgraded
  }
  return { session, storage, arrive }
}

for (const [name, prepare] of Object.entries(upgrades)) {
  test(`a late answer to ${name} starts no session after a sign-out, or in place of another user's`, async () => {
    const left = await upgradingGuest(prepare)
    await left.session.signOut()
    await left.arrive()
    assert.deepEqual([left.session.state.status, left.storage.items.size], ['signedOut', 0])

    const replaced = await upgradingGuest(prepare)
    await replaced.session.client.signIn(password())
    await replaced.arrive()
    assert.equal(userOf(replaced.session), person.userId)
  })
}

test('shows what an answer says about the user', async () => {
  const { session, storage } = await signedIn()
  const { id } = await session.client.issueOtp({ scope: 'email_verification' })
  await session.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await session.client.getAccount()
  assert.ok(session.state.status === 'signedIn' && session.state.user.emailVerified)
  assert.ok(storedIn(storage).user.emailVerified)
})

test('refreshes once for concurrent calls when the access token has expired', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  const answers = await Promise.all(Array.from({ length: 20 }, () => session.client.getAccount()))
  assert.ok(answers.every(({ id }) => id === person.userId))
  assert.deepEqual([refreshes(recorded.sent), recorded.sent.length], [1, 21])
})

test('refreshes once across sessions that share a storage, and uses the tokens of the other', async () => {
  const { storage } = await signedIn()
  const tabs = [await reopened(storage), await reopened(storage)]
  for (let round = 0; round < 10; round++) {
    for (const { recorded } of tabs) recorded.sent.length = 0
    expireAccessToken(service)
    await Promise.all(
      tabs.flatMap(({ session }) => [session.client.getAccount(), session.client.getProfile().catch(() => {})]),
    )
    assert.equal(refreshes(tabs.flatMap(({ recorded }) => recorded.sent)), 1)
  }
})

test('refreshes and repeats a call that the service refuses, once', async () => {
  const { session, recorded } = await signedIn()
  expireAccessToken(service)
  await session.client.getAccount()
  assert.deepEqual(recorded.sent, ['GET /account', 'POST /auth/refresh', 'GET /account'])
  recorded.sent.length = 0
  recorded.intercept = async (path, send) =>
    path === '/account'
      ? await fetch(`${service.baseUrl}/account`, {
          headers: { 'x-tenant-key': tenant.key, authorization: 'Bearer x' },
        })
      : send()
  await refused(session.client.getAccount(), 'INVALID_USER_TOKEN')
  assert.deepEqual(recorded.sent, ['GET /account', 'POST /auth/refresh', 'GET /account'])
  assert.equal(session.state.status, 'signedIn')
})

test('judges expiry by the local clock: a clock that jumps costs one refresh', async () => {
  for (const days of [-1, 1]) {
    const { storage } = await signedIn()
    const jumped = { ...storedIn(storage), receivedAt: storedIn(storage).receivedAt + days * 86_400_000 }
    storage.items.set([...storage.items.keys()][0]!, JSON.stringify(jumped))
    const { session, recorded } = await reopened(storage)
    for (let time = 0; time < 3; time++) await session.client.getAccount()
    assert.equal(refreshes(recorded.sent), 1, `${days}`)
  }
})

test('signs out with reason expired when the service refuses to refresh', async () => {
  const { storage, session } = await signedIn()
  const { session: other } = await reopened(storage)
  const copied = storedIn(storage).refreshToken
  expireAccessToken(service, storage)
  await other.client.getAccount()
  service.clock.advance(11_000)
  await refused(tenant.client.refreshSession({ refreshToken: copied }), 'INVALID_REFRESH_TOKEN')
  await refused(session.client.getAccount(), 'INVALID_USER_TOKEN')
  assert.deepEqual(session.state, { status: 'signedOut', reason: 'expired' })
  assert.equal(storage.items.size, 0)
  assert.equal(
    await other
      .accessToken()
      .then(() => other.client.getAccount())
      .catch(({ code }) => code),
    'INVALID_USER_TOKEN',
  )
  assert.equal(other.state.status, 'signedOut')
})

test('issues a sign-in code when the old session turns out to have ended', async () => {
  const { storage, session } = await signedIn()
  await tenant.client.withSession(await session.accessToken()).signOut({ scope: 'this' })
  expireAccessToken(service, storage)
  const { session: other } = await reopened(storage)
  const { id } = await other.client.issueOtp({ scope: 'otp_signin', email: person.email })
  assert.ok(id)
  assert.deepEqual(other.state, { status: 'signedOut', reason: 'expired' })
})

test('signs out when the account is deleted here or elsewhere', async () => {
  const { session: here } = await signedIn()
  await here.client.signIn({ method: 'guest' })
  await here.client.deleteAccount()
  assert.deepEqual(here.state, { status: 'signedOut', reason: 'signedOut' })
  const user = await here.client.signIn({ method: 'guest' })
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: user.user.id })
  await refused(here.client.getAccount(), 'TOKEN_USER_NOT_FOUND')
  assert.deepEqual(here.state, { status: 'signedOut', reason: 'expired' })
})

test('requires a client that was created by createTenantryClient, or its proxy in reactive state', async () => {
  assert.throws(() => createSession({ ...tenant.client }), /client must be created by createTenantryClient/)
  assert.deepEqual(await createSession(new Proxy(tenant.client, {})).ready(), { status: 'signedOut', reason: 'none' })
})
