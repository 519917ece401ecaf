import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../contract/operations.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { scrape } from '../support/http/scrape.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'

const wrongKey = 'wrong-admin-key-of-at-least-32-characters'

const startProxied = (limitsText?: string) =>
  startTestService({ trustedProxies: '127.0.0.0/8', ...(limitsText !== undefined && { limitsText }) })

/** Lists the tenants with a key, as a client behind the proxy. */
function ask(service: TestService, client: string, key: string, path = '/admin/tenants'): Promise<WireAnswer> {
  const headers: [string, string][] = [
    ['authorization', `Bearer ${key}`],
    ['x-forwarded-for', client],
  ]
  return send(service.baseUrl, { path, headers })
}

const warningsOf = ({ log }: TestService) => log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)

test('answers 30 wrong keys from one address with 401, and later ones with 429 and Retry-After (threat I17)', async () => {
  await using service = await startProxied('')
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(service, '192.0.2.1', wrongKey)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status === 401).length, 30)
  assert.equal(refused.length, 270)
  for (const answer of refused) {
    assertRefusal(answer, 'TOO_MANY_REQUESTS')
    assert.equal(answer.headers['retry-after'], '3600')
  }
  assert.equal((await scrape(service)).value('tenantry_limited_total', '{limit="admin-key"}'), 270)
})

test('accepts the right key at any count, without counting or resetting it', async () => {
  await using service = await startProxied('admin-key=2/h')
  const client = '192.0.2.1'
  for (let count = 0; count < 5; count++) assert.equal((await ask(service, client, testAdminKey)).status, 200)
  for (let count = 0; count < 2; count++) assertRefusal(await ask(service, client, wrongKey), 'INVALID_ADMIN_KEY')
  assertRefusal(await ask(service, client, wrongKey), 'TOO_MANY_REQUESTS')
  assert.equal((await ask(service, client, testAdminKey)).status, 200)
  assertRefusal(await ask(service, client, wrongKey), 'TOO_MANY_REQUESTS')
})

test('counts addresses separately, and answers wrong keys with 401 again after an hour', async () => {
  await using service = await startProxied('admin-key=1/h')
  assertRefusal(await ask(service, '192.0.2.1', wrongKey), 'INVALID_ADMIN_KEY')
  assertRefusal(await ask(service, '192.0.2.2', wrongKey), 'INVALID_ADMIN_KEY')
  assertRefusal(await ask(service, '192.0.2.1', wrongKey), 'TOO_MANY_REQUESTS')
  service.clock.advance(3_599_999)
  assertRefusal(await ask(service, '192.0.2.1', wrongKey), 'TOO_MANY_REQUESTS')
  service.clock.advance(1)
  assertRefusal(await ask(service, '192.0.2.1', wrongKey), 'INVALID_ADMIN_KEY')
})

test('admits and logs eight times the quota of wrong keys from one /48 (threat I17)', async () => {
  await using service = await startProxied('admin-key=2/h')
  for (let subnet = 0; subnet < 16; subnet++)
    assertRefusal(await ask(service, `2001:db8:7:${subnet}::1`, wrongKey), 'INVALID_ADMIN_KEY')
  for (let subnet = 16; subnet < 20; subnet++)
    assertRefusal(await ask(service, `2001:db8:7:${subnet}::1`, wrongKey), 'TOO_MANY_REQUESTS')
  assert.equal(warningsOf(service).length, 16)
  assertRefusal(await ask(service, '2001:db8:8::1', wrongKey), 'INVALID_ADMIN_KEY')
  assert.equal((await ask(service, '2001:db8:7::1', testAdminKey)).status, 200)
})

test('counts all admin operations together, and does not count a missing key', async () => {
  await using service = await startProxied('admin-key=2/h')
  const headers: [string, string][] = [['x-forwarded-for', '192.0.2.1']]
  for (let count = 0; count < 5; count++) {
    assertRefusal(await send(service.baseUrl, { path: '/admin/tenants', headers }), 'MISSING_ADMIN_KEY')
  }
  assertRefusal(await ask(service, '192.0.2.1', wrongKey, '/metrics'), 'INVALID_ADMIN_KEY')
  assertRefusal(await ask(service, '192.0.2.1', '', '/admin/signing-keys'), 'INVALID_ADMIN_KEY')
  for (const { method, path } of Object.values(operations).filter(({ auth }) => auth === 'admin')) {
    const all: [string, string][] = [...headers, ['authorization', `Bearer ${wrongKey}`]]
    const answer = await send(service.baseUrl, { method, path: path.replace(/:\w+/g, 'x'), headers: all })
    assertRefusal(answer, 'TOO_MANY_REQUESTS')
  }
})

test('logs wrong keys with address and request id up to the limit, and never the key', async () => {
  await using service = await startProxied('admin-key=3/h')
  const client = '2001:db8::7'
  const answers: WireAnswer[] = []
  for (let count = 0; count < 6; count++) answers.push(await ask(service, client, wrongKey))
  const lines = warningsOf(service)
  assert.deepEqual(
    lines.map(({ address, requestId }) => [address, requestId]),
    answers.slice(0, 3).map(({ headers }) => [client, headers['x-request-id']]),
  )
  const limited = 'wrong admin key; limit reached, further attempts are refused and not logged'
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['wrong admin key', 'wrong admin key', limited],
  )
  assert.doesNotMatch(service.log.join(''), /wrong-admin-key-of/)
})

test('answers every wrong key with 401 and logs it when the limit is off', async () => {
  await using service = await startProxied('admin-key=off')
  for (let count = 0; count < 40; count++) {
    assertRefusal(await ask(service, '192.0.2.1', wrongKey), 'INVALID_ADMIN_KEY')
  }
  assert.equal(warningsOf(service).length, 40)
})
