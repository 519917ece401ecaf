import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** A service with default limits, behind a proxy that can name any client. */
let proxied: TestService
let tenant: TestTenant
before(async () => {
  proxied = await startTestService({ limitsText: '', trustedProxies: '127.0.0.0/8' })
  tenant = await proxied.addTenant()
})
after(() => proxied.close())

let addresses = 0
const freshAddress = () => `10.2.${addresses >> 8}.${addresses++ & 255}`

type Headers = [name: string, value: string][]
const json: [string, string] = ['content-type', 'application/json']

/** Requests that the limit admits and a later check refuses, one per check. */
const refusals: { headers: (key: string) => Headers; body?: string; status: number[] }[] = [
  { headers: () => [json], body: '{}', status: [401] },
  { headers: () => [json, ['x-tenant-key', 'x']], body: '{}', status: [401] },
  { headers: (key) => [json, ['x-tenant-key', key], ['authorization', 'Bearer x']], body: '{', status: [400, 401] },
  { headers: (key) => [['x-tenant-key', key]], body: '{}', status: [415, 401] },
  { headers: (key) => [json, ['x-tenant-key', key]], body: ' '.repeat(65_537), status: [413, 401] },
]

const limited = Object.values<Operation>(operations).filter(({ limit }) => limit !== undefined)

for (const { method, path, limit } of sampleOf(limited)) {
  const quota = Number.parseInt(limits[limit!], 10)
  test(`admits exactly ${quota} requests an hour to ${method} ${path}, whatever their answers`, async () => {
    const headers: Headers = [['x-forwarded-for', freshAddress()]]
    const ask = (request: (typeof refusals)[number]) =>
      send(proxied.baseUrl, { method, path, headers: [...headers, ...request.headers(tenant.key)], body: request.body })
    for (let count = 1; count <= quota; count++) {
      const refusal = refusals[count % refusals.length]!
      const answer = await ask(refusal)
      assert.ok(refusal.status.includes(answer.status), answer.text)
      assert.equal(answer.headers['ratelimit'], `"ip";r=${quota - count};t=3600`)
      assert.equal(answer.headers['ratelimit-policy'], `"ip";q=${quota};w=3600`)
      assert.equal(answer.headers['retry-after'], undefined)
    }
    const refused = async (seconds: number) => {
      const answer = await ask(refusals[0]!)
      assertRefusal(answer, 'TOO_MANY_REQUESTS')
      assert.equal(answer.headers['retry-after'], String(seconds))
      assert.equal(answer.headers['ratelimit'], `"ip";r=0;t=${seconds}`)
    }
    for (let count = 0; count < 5; count++) await refused(3600)
    proxied.clock.advance(3_599_999)
    await refused(1)
    proxied.clock.advance(1)
    assert.equal((await ask(refusals[0]!)).headers['ratelimit'], `"ip";r=${quota - 1};t=3600`)
  })
}

const resend = (service: TestService, headers: Headers): Promise<WireAnswer> =>
  send(service.baseUrl, { method: 'POST', path: '/otp/resend', headers: [json, ...headers], body: '{}' })

/** The remaining requests of the client in these headers, after one resend. */
async function leftAfterResend(service: TestService, headers: Headers): Promise<number> {
  const answer = await resend(service, headers)
  return Number(/r=(\d+)/.exec(answer.headers['ratelimit'] ?? '')?.[1])
}

test('returns each request to the quota an hour after it was made', async () => {
  const headers: Headers = [['x-forwarded-for', freshAddress()]]
  const left = () => leftAfterResend(proxied, headers)
  assert.equal(await left(), 29)
  proxied.clock.advance(1_800_000)
  for (let count = 28; count >= 0; count--) assert.equal(await left(), count)
  assertRefusal(await resend(proxied, headers), 'TOO_MANY_REQUESTS')
  proxied.clock.advance(1_800_000)
  assert.equal(await left(), 0)
  const refused = await resend(proxied, headers)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1800'])
})

test('counts operations and clients separately', async () => {
  const [one, other]: Headers = [
    ['x-forwarded-for', freshAddress()],
    ['x-forwarded-for', freshAddress()],
  ]
  for (let count = 0; count < 30; count++) await resend(proxied, [one!])
  assertRefusal(await resend(proxied, [one!]), 'TOO_MANY_REQUESTS')
  assert.equal(await leftAfterResend(proxied, [other!]), 29)
  const status = await send(proxied.baseUrl, { method: 'POST', path: '/otp/status', headers: [json, one!], body: '{}' })
  assertRefusal(status, 'MISSING_TENANT_KEY')
  assert.equal(status.headers['ratelimit'], '"ip";r=599;t=3600')
})

test('does not count preflights, other methods, other paths and duplicate Host headers', async () => {
  const client: [string, string] = ['x-forwarded-for', freshAddress()]
  const path = '/otp/resend'
  for (let count = 0; count < 40; count++) {
    await send(proxied.baseUrl, {
      method: 'OPTIONS',
      path,
      headers: [client, ['origin', 'https://a.example'], ['access-control-request-method', 'POST']],
    })
    await send(proxied.baseUrl, { method: 'PUT', path, headers: [client] })
    await send(proxied.baseUrl, { method: 'POST', path: `${path}/`, headers: [client] })
    await send(proxied.baseUrl, { method: 'POST', path, headers: [client, ['host', 'b']] })
  }
  assert.equal(await leftAfterResend(proxied, [client]), 29)
})

test('sends no rate limit headers for unlimited operations', async () => {
  for (const { method, path } of Object.values<Operation>(operations).filter(({ limit }) => limit === undefined)) {
    const answer = await send(proxied.baseUrl, { method, path: path.replace(/:\w+/g, 'x') })
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after'])
      assert.equal(answer.headers[name], undefined, `${method} ${path}`)
  }
})
