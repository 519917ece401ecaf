import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createSession,
  createTenantryClient,
  TenantryAnswerError,
  TenantryConnectionError,
} from '../../packages/client/src/index.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  expireAccessToken,
  openSession,
  recordedClient,
  refreshes,
  signedInSession,
  storedIn,
  type TestStorage,
  testStorage,
  userOf,
} from '../support/session-client.ts'
import { addOpenTenant } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant
let person: Person

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
  person = await addPerson(service, tenant)
})
after(() => service.close())

const signedIn = () => signedInSession(service, tenant, person)
const reopened = (storage: TestStorage) => openSession(service, tenant, storage)

test('keeps the session while the service cannot be reached or refuses to refresh for a time', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  recorded.intercept = () => Promise.reject(new TypeError('fetch failed'))
  await assert.rejects(session.client.getAccount(), TenantryConnectionError)
  assert.deepEqual(recorded.sent, ['POST /auth/refresh', 'POST /auth/refresh'])
  for (const [status, code] of [
    [429, 'TOO_MANY_REQUESTS'],
    [503, 'SERVICE_UNAVAILABLE'],
    [403, 'RESTRICTED_CAPABILITY'],
  ] as const) {
    const meta = { requestId: 'r', timestamp: '2026-01-31T12:00:00.000Z' }
    recorded.sent.length = 0
    recorded.intercept = async () => Response.json({ meta, error: { code, message: code, status } }, { status })
    await refused(session.client.getAccount(), code)
    assert.deepEqual(recorded.sent, ['POST /auth/refresh'])
  }
  assert.equal(session.state.status, 'signedIn')
  recorded.intercept = undefined
  assert.equal((await session.client.getAccount()).id, person.userId)
})

test('neither starts nor ends a session by the 204 of a proxy', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  recorded.intercept = async () => new Response(null, { status: 204 })
  await assert.rejects(session.client.signIn({ method: 'guest' }), TenantryAnswerError)
  await assert.rejects(session.client.getAccount(), TenantryAnswerError)
  recorded.intercept = undefined
  assert.equal((await session.client.getAccount()).id, person.userId)
})

test('keeps the session when the answer of a refresh has no data', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  recorded.intercept = async () => Response.json({ meta: {}, data: null })
  await assert.rejects(session.client.getAccount(), TenantryAnswerError)
  recorded.intercept = undefined
  assert.equal((await session.client.getAccount()).id, person.userId)
})

test('continues with another key of the tenant if the name of the stored session stays', async () => {
  const { storage } = await signedIn()
  const [name] = storage.items.keys()
  assert.equal(name, `tenantry.${tenant.key.slice(0, 33)}`)
  const { tenantId, key } = tenant
  const { key: tenantKey } = await service.admin.rotateTenantKey({ tenantId, keyId: key.slice(7, 33) }, {})
  const client = createTenantryClient({ baseUrl: service.baseUrl, tenantKey })
  expireAccessToken(service, storage)
  const session = createSession(client, { storage, key: name })
  assert.equal((await session.client.getAccount()).id, person.userId)
})

test('repeats a refresh at once when its response was lost', async () => {
  const { storage } = await signedIn()
  for (const lost of ['connection', 'proxy'] as const) {
    expireAccessToken(service, storage)
    const { session, recorded } = await reopened(storage)
    let isLost = false
    recorded.intercept = async (path, send) => {
      const answer = await send()
      if (path !== '/auth/refresh' || isLost) return answer
      isLost = true
      if (lost === 'proxy') return new Response('<h1>Bad Gateway</h1>', { status: 502 })
      throw new TypeError('fetch failed')
    }
    assert.equal((await session.client.getAccount()).id, person.userId)
    assert.deepEqual(recorded.sent, ['POST /auth/refresh', 'POST /auth/refresh', 'GET /account'])
  }
})

test('a refresh that hangs holds up no other user of the same storage', { timeout: 20_000 }, async () => {
  const storage = testStorage()
  const [slow, quick] = ['slow', 'quick'].map((key) => {
    const recorded = recordedClient(service, tenant)
    return { recorded, session: createSession(recorded.client, { storage, key }) }
  })
  for (const { session } of [slow!, quick!]) await session.client.signIn({ method: 'guest' })
  expireAccessToken(service, storage)
  const hung = Promise.withResolvers<void>()
  slow!.recorded.intercept = async (path, send) => {
    if (path === '/auth/refresh') await hung.promise
    return send()
  }
  const waiting = slow!.session.client.getAccount()
  assert.equal((await quick!.session.client.getAccount()).id, userOf(quick!.session))
  hung.resolve()
  assert.equal((await waiting).id, userOf(slow!.session))
})

test('a sign-out or another sign-in during a refresh counts, and not the refreshed session', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  const { session: other } = await reopened(storage)
  recorded.intercept = async (path, send) => {
    const answer = await send()
    if (path === '/auth/refresh') await other.client.signIn({ method: 'guest' })
    return answer
  }
  const before = person.userId
  const answer = await session.client.getAccount().catch(({ code }) => code)
  assert.equal(answer, 'INVALID_USER_TOKEN', 'the call of one user is not sent as another')
  assert.equal(userOf(session), userOf(other))
  assert.notEqual(userOf(session), before)
})

test('signs out here even when the service cannot be reached', async () => {
  const { storage, session, recorded } = await signedIn()
  recorded.intercept = () => Promise.reject(new TypeError('fetch failed'))
  await assert.rejects(session.signOut(), TenantryConnectionError)
  assert.deepEqual(session.state, { status: 'signedOut', reason: 'signedOut' })
  assert.equal(storage.items.size, 0)
})

test('ends the session at the service with an expired access token, and others only when asked', async () => {
  const { session, storage } = await signedIn()
  const other = await signedIn()
  const third = await signedIn()
  const { refreshToken } = storedIn(storage)
  expireAccessToken(service)
  await session.signOut()
  await refused(tenant.client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
  assert.equal((await other.session.client.getAccount()).id, person.userId)
  await other.session.signOut('others')
  assert.equal(other.session.state.status, 'signedIn')
  await refused(third.session.client.getAccount(), 'INVALID_USER_TOKEN')
  await session.signOut()
  await other.session.client.signOut({ scope: 'all' })
  assert.equal(other.session.state.status, 'signedOut')
})

test('does not refresh or repeat a call with its own access token, or one without credentials', async () => {
  const { session, recorded } = await signedIn()
  await refused(session.client.getAccount({ accessToken: 'x' }), 'INVALID_USER_TOKEN')
  await session.client.getJwks()
  assert.deepEqual(recorded.sent, ['GET /account', 'GET /.well-known/jwks.json'])
  assert.equal(session.state.status, 'signedIn')
})

test('a signal aborts a call while it waits for a refresh', async () => {
  const { storage } = await signedIn()
  expireAccessToken(service, storage)
  const { session, recorded } = await reopened(storage)
  const stop = new AbortController()
  recorded.intercept = async (_, send) => {
    stop.abort(new Error('left the page'))
    return send()
  }
  await assert.rejects(session.client.getAccount({ signal: stop.signal }), /left the page/)
  recorded.intercept = undefined
  assert.equal((await session.client.getAccount()).id, person.userId)
  assert.equal(refreshes(recorded.sent), 1)
})
