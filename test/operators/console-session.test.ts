import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { cookieOf, openConsole, samePage, signInToConsole } from '../support/browser/console.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'
import { until } from '../support/until.ts'

const minute = 60_000
const root = { id: 'root', name: 'root', scopes: ['*'], tenantIds: null }

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const dataOf = ({ text }: WireAnswer) => JSON.parse(text).data
const ask = (path: string, headers: readonly (readonly [string, string])[], method = 'GET') =>
  send(service.baseUrl, { method, path, headers })
const listTenants = (cookie: readonly [string, string]) => ask('/admin/tenants', [cookie])
const readSession = async (cookie: readonly [string, string]) => dataOf(await ask('/admin/session', [cookie]))
const inMs = (ms: number) => new Date(service.clock.now() + ms).toISOString()

describe('signing in to the console', () => {
  test('answers the operator and when the session ends, and sets the cookie (CONSOLE-1, CONSOLE-2)', async () => {
    const answer = await signInToConsole(service.baseUrl, testAdminKey)
    assert.equal(answer.status, 201)
    assert.deepEqual(dataOf(answer), { operator: root, expiresAt: inMs(12 * 60 * minute) })
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(
      answer.headers['set-cookie']!,
      /^__Host-tenantry-operator=[0-9A-Za-z]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const cookie = cookieOf(answer)
    assert.equal((await listTenants(cookie)).status, 200)
    assert.deepEqual(await readSession(cookie), dataOf(answer))
  })

  test('stores a hash of the token, and nothing that confirms a guess of the root key (threat K06)', async () => {
    const [, pair] = await openConsole(service.baseUrl, testAdminKey)
    const token = pair.split('=')[1]!
    const rows = storedRows(service, 'SELECT * FROM operator_sessions ORDER BY id')
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    assert.equal(rows.filter(({ id }) => id === sha256(token)).length, 1)
    for (const secret of [token, testAdminKey, sha256(testAdminKey)]) assert.ok(!JSON.stringify(rows).includes(secret))
    assert.equal(new Set(rows.map(({ root_hash }) => root_hash)).size, rows.length)
  })

  test('refuses a wrong key without a cookie, and validates the body', async () => {
    for (const key of [`${testAdminKey}x`, 'x', ` ${testAdminKey}`, 'a\nb']) {
      const answer = await signInToConsole(service.baseUrl, key)
      assertRefusal(answer, 'INVALID_ADMIN_KEY')
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    const path = '/admin/session'
    const post = (body: string, type = 'application/json') =>
      send(service.baseUrl, { method: 'POST', path, headers: [['content-type', type]], body })
    assertRefusal(await post('{}'), 'VALIDATION_ERROR', { key: 'Required' })
    assertRefusal(await post('{"key":1}'), 'VALIDATION_ERROR', { key: 'Expected string, received number' })
    const tooLong = { key: 'String must contain at most 500 character(s)' }
    assertRefusal(await post(JSON.stringify({ key: 'x'.repeat(501) })), 'VALIDATION_ERROR', tooLong)
    assertRefusal(await post(`key=${testAdminKey}`, 'application/x-www-form-urlencoded'), 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('ends the session that the browser had', async () => {
    const first = await openConsole(service.baseUrl, testAdminKey)
    const answer = await signInToConsole(service.baseUrl, testAdminKey, [...samePage, first])
    assertRefusal(await listTenants(first), 'INVALID_ADMIN_KEY')
    assert.equal((await listTenants(cookieOf(answer))).status, 200)
  })

  test('is refused for pages of other origins, and does not count them (CONSOLE-6, threat K03)', async () => {
    await using limited = await startTestService({ limitsText: 'console-sign-in=1/15m' })
    const foreign = [
      ...['cross-site', 'same-site', 'none', ''].map((site) => [['sec-fetch-site', site]] as const),
      ...['https://evil.example', 'null', '', 'http://tenantry.test.evil.example', 'http://tenantry.test:81'].map(
        (origin) => [['origin', origin]] as const,
      ),
      [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'http://tenantry.test'],
      ] as const,
    ]
    for (const headers of foreign) {
      const answer = await signInToConsole(limited.baseUrl, testAdminKey, headers)
      assertRefusal(answer, 'FOREIGN_ORIGIN')
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal((await signInToConsole(limited.baseUrl, testAdminKey, [])).status, 201)
    assertRefusal(await signInToConsole(limited.baseUrl, testAdminKey, []), 'TOO_MANY_REQUESTS')
  })
})

describe('the limits of signing in', () => {
  test('admit ten in fifteen minutes from an address', async () => {
    await using limited = await startTestService({ limitsText: '' })
    for (let count = 0; count < 10; count++)
      assert.equal((await signInToConsole(limited.baseUrl, testAdminKey)).status, 201)
    const refused = await signInToConsole(limited.baseUrl, testAdminKey)
    assertRefusal(refused, 'TOO_MANY_REQUESTS')
    assert.equal(refused.headers['retry-after'], '900')
    limited.clock.advance(15 * minute)
    assert.equal((await signInToConsole(limited.baseUrl, testAdminKey)).status, 201)
  })

  test('count a wrong key as one in Authorization, and an ended session not at all (CONSOLE-9)', async () => {
    await using limited = await startTestService({ limitsText: 'all=off,admin-key=2/h' })
    const ended: [string, string] = ['cookie', `__Host-tenantry-operator=${'a'.repeat(43)}`]
    for (let count = 0; count < 5; count++)
      assertRefusal(await send(limited.baseUrl, { path: '/admin/tenants', headers: [ended] }), 'INVALID_ADMIN_KEY')
    for (let count = 0; count < 2; count++)
      assertRefusal(await signInToConsole(limited.baseUrl, 'wrong'), 'INVALID_ADMIN_KEY')
    assertRefusal(await signInToConsole(limited.baseUrl, 'wrong'), 'TOO_MANY_REQUESTS')
    const headers = [['authorization', 'Bearer wrong']] as const
    assertRefusal(await send(limited.baseUrl, { path: '/admin/tenants', headers }), 'TOO_MANY_REQUESTS')
    const recorded = "SELECT id FROM event_queue WHERE type = 'operator.refused' ORDER BY id"
    await until(() => storedRows(limited, recorded).length >= 2)
    assert.equal((await signInToConsole(limited.baseUrl, testAdminKey)).status, 201)
    assert.equal(storedRows(limited, recorded).length, 2, 'beyond the limit nothing is recorded')
  })
})

describe('a console session', () => {
  afterEach(() => service.clock.advance(13 * 60 * minute))

  test('ends after 30 minutes without a request (CONSOLE-7)', async () => {
    const cookie = await openConsole(service.baseUrl, testAdminKey)
    for (let count = 0; count < 3; count++) {
      service.clock.advance(30 * minute - 1)
      assert.equal((await listTenants(cookie)).status, 200)
    }
    service.clock.advance(30 * minute)
    assertRefusal(await listTenants(cookie), 'INVALID_ADMIN_KEY')
    assert.deepEqual(await readSession(cookie), { operator: null, expiresAt: null })
  })

  test('ends when the clock was a year ahead and is right again (CONSOLE-7)', async () => {
    const year = 365 * 24 * 60 * minute
    service.clock.advance(year)
    const cookie = await openConsole(service.baseUrl, testAdminKey)
    service.clock.advance(-year)
    assertRefusal(await listTenants(cookie), 'INVALID_ADMIN_KEY')
  })

  test('ends after 12 hours at the latest (CONSOLE-7)', async () => {
    const cookie = await openConsole(service.baseUrl, testAdminKey)
    const { expiresAt } = await readSession(cookie)
    for (let count = 0; count < 35; count++) {
      service.clock.advance(20 * minute)
      assert.equal((await listTenants(cookie)).status, 200, `${count}`)
    }
    service.clock.advance(20 * minute - 1)
    assert.equal((await readSession(cookie)).expiresAt, expiresAt)
    service.clock.advance(1)
    assert.equal(inMs(0), expiresAt)
    assertRefusal(await listTenants(cookie), 'INVALID_ADMIN_KEY')
  })

  test('stores a use at most once a minute, and no other request writes', async () => {
    const statements: string[] = []
    await using watched = await startTestService({ hooks: { onStatement: (name) => statements.push(name) } })
    const cookie = await openConsole(watched.baseUrl, testAdminKey)
    statements.length = 0
    for (const ms of [0, minute - 1, 1, minute - 1, 1]) {
      watched.clock.advance(ms)
      await send(watched.baseUrl, { path: '/admin/tenants', headers: [cookie] })
    }
    const about = statements.filter((name) => name.startsWith('operatorSession.'))
    assert.deepEqual(
      about.map((name) => name.slice('operatorSession.'.length)),
      ['find', 'find', 'find', 'touch', 'find', 'find', 'touch'],
    )
  })

  test('ends at sign-out, which clears the cookie (CONSOLE-11)', async () => {
    const [cookie, other] = [
      await openConsole(service.baseUrl, testAdminKey),
      await openConsole(service.baseUrl, testAdminKey),
    ]
    // Without the header that no form can send (CONSOLE-3).
    const [site] = samePage
    assertRefusal(await ask('/admin/session', [cookie, site!], 'DELETE'), 'FOREIGN_ORIGIN')
    assert.equal((await listTenants(cookie)).status, 200)
    const answer = await ask('/admin/session', [cookie, ...samePage], 'DELETE')
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(
      answer.headers['set-cookie'],
      '__Host-tenantry-operator=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
    )
    assertRefusal(await listTenants(cookie), 'INVALID_ADMIN_KEY')
    assert.equal((await listTenants(other)).status, 200)
    for (const headers of [[], [cookie]])
      assert.equal((await ask('/admin/session', [...headers, ...samePage], 'DELETE')).status, 204)
  })

  test('ends with all others of the operator on demand', async () => {
    const cookies = [await openConsole(service.baseUrl, testAdminKey), await openConsole(service.baseUrl, testAdminKey)]
    const typo = await ask('/admin/session?all=yes', [cookies[0]!, ...samePage], 'DELETE')
    assertRefusal(typo, 'VALIDATION_ERROR', { all: 'Invalid enum value' })
    assert.equal((await ask('/admin/session?all=true', [cookies[0]!, ...samePage], 'DELETE')).status, 204)
    for (const cookie of cookies) assertRefusal(await listTenants(cookie), 'INVALID_ADMIN_KEY')
  })

  test('of the root key ends with a new root key (CONSOLE-8)', async () => {
    await using first = await startTestService()
    const cookie = await openConsole(first.baseUrl, testAdminKey)
    const shared = { database: first.database, masterKeys: first.masterKeys, isOnlyServer: false }
    await using same = await startTestService(shared)
    assert.equal((await send(same.baseUrl, { path: '/admin/tenants', headers: [cookie] })).status, 200)
    await using changed = await startTestService({ ...shared, adminKey: 'another-admin-key-of-at-least-32-characters' })
    assertRefusal(await send(changed.baseUrl, { path: '/admin/tenants', headers: [cookie] }), 'INVALID_ADMIN_KEY')
  })

  test('is deleted by housekeeping after its latest end', async () => {
    await using other = await startTestService()
    await openConsole(other.baseUrl, testAdminKey)
    const stored = () => storedRows(other, 'SELECT id FROM operator_sessions ORDER BY id').length
    other.clock.advance(12 * 60 * minute)
    await other.service.services.housekeeping.run()
    assert.equal(stored(), 1)
    other.clock.advance(1)
    await other.service.services.housekeeping.run()
    assert.equal(stored(), 0)
  })
})
