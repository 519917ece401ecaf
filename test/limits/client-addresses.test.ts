import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
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

const resend = (service: TestService, headers: Headers): Promise<WireAnswer> =>
  send(service.baseUrl, { method: 'POST', path: '/otp/resend', headers: [json, ...headers], body: '{}' })

/** The remaining requests of the client in these headers, after one resend. */
async function leftAfterResend(service: TestService, headers: Headers): Promise<number> {
  const answer = await resend(service, headers)
  return Number(/r=(\d+)/.exec(answer.headers['ratelimit'] ?? '')?.[1])
}

test('uses the socket address without a trusted proxy and ignores forwarding headers (threat F18)', async () => {
  await using direct = await startTestService({ limitsText: 'resend=1000/h' })
  const claims = [
    '1.2.3.4',
    '1.2.3.4, 5.6.7.8',
    '::1',
    '::ffff:1.2.3.4',
    'unknown',
    '',
    ', ,',
    '127.0.0.1',
    'for=1.2.3.4',
    '_hidden',
  ]
  const names = [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'x-cluster-client-ip',
  ]
  let left = 1000
  for (const name of names) {
    for (const claim of claims)
      assert.equal(await leftAfterResend(direct, [[name, claim]]), --left, `${name}: ${claim}`)
  }
  for (let hop = 0; hop < 50; hop++)
    assert.equal(await leftAfterResend(direct, [['x-forwarded-for', `${hop}.1.1.1`]]), --left)
})

/** Asserts that all these headers are counted as one client. */
async function countedAsOne(values: Headers[]): Promise<void> {
  const counts = []
  for (const headers of values) counts.push(await leftAfterResend(proxied, headers))
  assert.deepEqual(
    counts,
    values.map((_, index) => 29 - index),
  )
}

test('uses the right-most untrusted hop behind a trusted proxy, and never reads hops left of it (threat F18)', async () => {
  const client = freshAddress()
  await countedAsOne([
    [['x-forwarded-for', client]],
    [['x-forwarded-for', `1.2.3.4, ${client}`]],
    [['x-forwarded-for', `${client}, 127.0.0.1, 127.9.9.9`]],
    [['x-forwarded-for', `nonsense, ${client}`]],
    [['x-forwarded-for', `${'9.9.9.9, '.repeat(500)}${client}`]],
    [
      ['x-forwarded-for', '5.5.5.5'],
      ['x-forwarded-for', client],
    ],
    [['X-Forwarded-For', `  ${client}\t`]],
    [['x-forwarded-for', `::ffff:${client}`]],
    [['x-forwarded-for', `::FFFF:${client}`]],
    [['x-forwarded-for', `${client}:5678`]],
    [['x-forwarded-for', `1.2.3.4:80, ${client}:5679, 127.0.0.1:80`]],
    [['x-forwarded-for', `[::ffff:${client}]:5678`]],
    [
      ['x-forwarded-for', client],
      ['forwarded', 'for=6.6.6.6'],
      ['x-real-ip', '6.6.6.6'],
    ],
  ])
})

test('stops at a malformed hop: requests behind it count for the proxy (threat F18)', async () => {
  const odd = [
    'nonsense',
    '1.2.3.4:',
    '1.2.3.4:port',
    '01.2.3.4',
    '0x01020304',
    '1.2.3',
    '[1.2.3.4]:5678',
    'fe80::1%eth0',
    '',
    '1.2.3.4, ',
    '6.6.6.6, unknown',
    '"1.2.3.4"',
    '1.2.3.4 5.6.7.8',
  ]
  await countedAsOne(odd.map((hop) => [['x-forwarded-for', hop]]))
})

test('counts an IPv6 client by its /64 in any notation (threat F18)', async () => {
  const spellings = [
    '2001:db8:0:7::1',
    '2001:DB8:0:7::1',
    '2001:0db8:0000:0007:ffff:ffff:ffff:ffff',
    '2001:db8:0:7:0:0:0:2',
    '2001:db8::7:1:2:3:4',
    '2001:db8:0:7::1.2.3.4',
  ]
  await countedAsOne(spellings.map((address) => [['x-forwarded-for', address]]))
  assert.equal(await leftAfterResend(proxied, [['x-forwarded-for', '2001:db8:0:8::1']]), 29)
})

test('accepts X-Client-IP only with a valid secret key, and counts separately per tenant (threat F19)', async () => {
  const other = await proxied.addTenant()
  const from: [string, string] = ['x-forwarded-for', freshAddress()]
  const named = (ip: string, key: string): Headers => [from, ['x-client-ip', ip], ['x-tenant-key', key]]
  assert.equal(await leftAfterResend(proxied, named('7.7.7.7', tenant.secretKey)), 29)
  assert.equal(await leftAfterResend(proxied, named('::ffff:7.7.7.7', tenant.secretKey)), 28)
  assert.equal(await leftAfterResend(proxied, named('7.7.7.8', tenant.secretKey)), 29)
  assert.equal(await leftAfterResend(proxied, named('7.7.7.7', other.secretKey)), 29)
  assert.equal(await leftAfterResend(proxied, [['x-forwarded-for', '7.7.7.7']]), 29)

  const { id, key: revoked } = await proxied.admin.createTenantKey(tenant, { kind: 'secret' })
  await proxied.admin.revokeTenantKey({ tenantId: tenant.tenantId, keyId: id })
  const expiresAt = new Date(proxied.clock.now() + 1000).toISOString()
  const { key: expired } = await proxied.admin.createTenantKey(tenant, { kind: 'secret', expiresAt })
  proxied.clock.advance(1000)
  const forged = tenant.key.replace('tk_pub', 'tk_sec')
  const ignored: Headers[] = [
    named('8.8.8.1', tenant.key),
    named('8.8.8.2', forged),
    named('8.8.8.3', revoked),
    named('8.8.8.4', expired),
    named('8.8.8.5', 'x'),
    [from, ['x-client-ip', '8.8.8.6']],
    [...named('8.8.8.7', tenant.secretKey), ['x-tenant-key', tenant.secretKey]],
    [...named('8.8.8.8', tenant.secretKey), ['x-client-ip', '8.8.8.9']],
    ...['', 'x', '8.8.8.8, 9.9.9.9', '8.8.8.8:1', '08.8.8.8', 'fe80::1%1'].map((ip) => named(ip, tenant.secretKey)),
  ]
  await countedAsOne(ignored)
})

test('refuses a suspended tenant’s secret key with X-Client-IP (threat F19)', async () => {
  const other = await proxied.addTenant()
  await proxied.admin.updateTenant({ tenantId: other.tenantId }, { suspended: true })
  const answer = await resend(proxied, [
    ['x-client-ip', '7.7.7.9'],
    ['x-tenant-key', other.secretKey],
  ])
  assertRefusal(answer, 'TENANT_SUSPENDED')
})
