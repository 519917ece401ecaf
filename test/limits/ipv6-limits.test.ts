import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { scrape } from '../support/http/scrape.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const quota = 5
/** Eight times the quota. */
const networkQuota = 40

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService({ limitsText: `all=off,resend=${quota}/h`, trustedProxies: '127.0.0.0/8' })
  tenant = await service.addTenant()
})
after(() => service.close())

type Headers = [name: string, value: string][]
const resend = (headers: Headers): Promise<WireAnswer> =>
  send(service.baseUrl, {
    method: 'POST',
    path: '/otp/resend',
    headers: [['content-type', 'application/json'], ...headers],
    body: '{}',
  })
const from = (address: string) => resend([['x-forwarded-for', address]])
const named = (address: string, { secretKey } = tenant) =>
  resend([
    ['x-client-ip', address],
    ['x-tenant-key', secretKey],
  ])
const shown = ({ headers }: WireAnswer) => [headers['ratelimit-policy'], headers['ratelimit']]
const policy = (count: number) => `"ip";q=${count};w=3600`
const left = (count: number, seconds = 3600) => `"ip";r=${count};t=${seconds}`

test('admits eight times the quota of a /64 for a /48, and counts refused requests for neither', async () => {
  const host = (subnet: number, network = 1) => `2001:db8:${network}:${subnet.toString(16)}::1`
  for (let subnet = 0; subnet < 8; subnet++) {
    for (let count = quota - 1; count >= 0; count--) {
      assert.deepEqual(shown(await from(host(subnet))), [policy(quota), left(count)])
    }
    const full = await from(host(subnet))
    assertRefusal(full, 'TOO_MANY_REQUESTS')
    assert.deepEqual(shown(full), [policy(quota), left(0)])
  }
  service.clock.advance(1_800_000)
  for (let subnet = 8; subnet < 20; subnet++) {
    const refused = await from(host(subnet))
    assertRefusal(refused, 'TOO_MANY_REQUESTS')
    assert.deepEqual(shown(refused), [policy(networkQuota), left(0, 1800)])
    assert.equal(refused.headers['retry-after'], '1800')
  }
  assert.deepEqual(shown(await from(host(8, 2))), [policy(quota), left(quota - 1)])

  // A request refused by the /48 is not counted for the /64 either.
  service.clock.advance(1_800_000)
  assert.deepEqual(shown(await from(host(8))), [policy(quota), left(quota - 1)])
})

test('reports the quota of the /48 when less of it remains than of the /64', async () => {
  const host = (subnet: number) => `2001:db8:3:${subnet.toString(16)}::1`
  for (let subnet = 0; subnet < networkQuota - 3; subnet++) await from(host(subnet))
  for (const count of [2, 1, 0]) {
    assert.deepEqual(shown(await from(host(100 + count))), [policy(networkQuota), left(count)])
  }
  assertRefusal(await from(host(200)), 'TOO_MANY_REQUESTS')
})

test('counts IPv4 clients behind a translator by their own addresses', async () => {
  for (let count = quota - 1; count >= 0; count--) {
    assert.deepEqual(shown(await from('64:ff9b::198.51.100.7')), [policy(quota), left(count)])
  }
  assertRefusal(await from('64:ff9b::c633:6407'), 'TOO_MANY_REQUESTS')
  assert.deepEqual(shown(await from('64:ff9b::198.51.100.8')), [policy(quota), left(quota - 1)])
})

test('refuses the last request of a /64 when the quota of the /48 is used up', async () => {
  const host = (subnet: number) => `2001:db8:6:${subnet.toString(16)}::1`
  for (let count = 1; count < quota; count++) await from(host(0))
  for (let subnet = quota; subnet <= networkQuota; subnet++) await from(host(subnet))
  const refused = await from(host(0))
  assertRefusal(refused, 'TOO_MANY_REQUESTS')
  assert.deepEqual(shown(refused), [policy(networkQuota), left(0)])
})

test('counts an address in X-Client-IP by its /48 too, separately per tenant', async () => {
  const host = (subnet: number) => `2001:db8:4:${subnet.toString(16)}::1`
  for (let subnet = 0; subnet < networkQuota; subnet++) {
    assert.notEqual((await named(host(subnet))).status, 429)
  }
  assertRefusal(await named(host(99)), 'TOO_MANY_REQUESTS')
  assert.deepEqual(shown(await from(host(99))), [policy(quota), left(quota - 1)])
  const other = await service.addTenant()
  assert.deepEqual(shown(await named(host(99), other)), [policy(quota), left(quota - 1)])
})

test('counts IPv4 clients by address only', async () => {
  for (let host = 1; host <= 60; host++) {
    assert.deepEqual(shown(await from(`192.0.2.${host}`)), [policy(quota), left(quota - 1)])
    assert.deepEqual(shown(await from(`::ffff:192.0.3.${host}`)), [policy(quota), left(quota - 1)])
  }
})

test('counts refusals of a /48 in the metrics under the name of the limit', async () => {
  const counted = async () => (await scrape(service)).value('tenantry_limited_total', '{limit="resend"}') ?? 0
  const before = await counted()
  for (let subnet = 0; subnet < networkQuota + 7; subnet++) await from(`2001:db8:5:${subnet.toString(16)}::1`)
  assert.equal((await counted()) - before, 7)
  assert.ok(!(await scrape(service)).text.includes('/48'))
})
