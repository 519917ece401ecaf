import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedRow, writeStored } from '../../../test/support/databases/stored-rows.ts'
import { smtpSettings, startTenantSmtp } from '../../../test/support/delivery/sending.ts'
import { drain, startSendingService } from '../../../test/support/delivery/sending-service.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { type Provider, TemporaryFailure } from '../../delivery/provider.ts'

const day = 86_400_000
let fails = false
const provider = (name: string, method: 'email' | 'sms'): Provider => ({
  name,
  method,
  send: () => (fails ? Promise.reject(new TemporaryFailure('greets with 421')) : Promise.resolve()),
  async close() {},
})
let service: TestService
before(async () => {
  service = await startSendingService([provider('smtp', 'email'), provider('twilio', 'sms')])
})
after(() => service.close())

const statistics = ({ tenantId }: TestTenant) => service.admin.getMessageStatistics({ tenantId })
const issue = ({ client }: TestTenant, email = 'ada@example.com') => client.issueOtp({ scope: 'otp_signin', email })
const ok = { state: 'ok', until: null, lastError: null }

test('counts what waits and what failed, for one tenant', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const none = { queued: 0, sending: 0, oldestQueuedAt: null, failed24h: 0 }
  const senders = [
    { method: 'email', name: 'smtp', ...ok },
    { method: 'sms', name: 'twilio', ...ok },
  ]
  assert.deepEqual(await statistics(tenant), { ...none, senders })
  fails = true
  const { id } = await issue(tenant)
  await drain(service)
  fails = false
  const oldestQueuedAt = new Date(service.clock.now()).toISOString()
  assert.deepEqual(await statistics(tenant), { ...none, queued: 1, oldestQueuedAt, senders })
  assert.deepEqual(await statistics(other), { ...none, senders })
  await writeStored(service, "UPDATE outbox SET state = 'failed', due_at = NULL WHERE otp_id = ?", id)
  assert.deepEqual(await statistics(tenant), { ...none, failed24h: 1, senders })
  service.clock.advance(day + 1)
  assert.deepEqual(await statistics(tenant), { ...none, senders })
})

test('names a broken sender, until when, and why', async () => {
  const tenant = await service.addTenant()
  fails = true
  for (let round = 0; round < 5; round++) await issue(tenant, `${round}@example.com`)
  await drain(service)
  const broken = async () =>
    (await statistics(tenant)).senders.map(({ state, until, lastError }) => [state, until, lastError])
  const until = new Date(service.clock.now() + 10_000).toISOString()
  const reason = 'greets with 421'
  assert.deepEqual(await broken(), [
    ['broken', until, reason],
    ['ok', null, null],
  ])
  service.clock.advance(10_000)
  assert.deepEqual((await broken())[0], ['broken', null, reason], 'the next message tries it')
  fails = false
  await drain(service)
  assert.deepEqual((await broken())[0], ['ok', null, null])
})

test("lists the tenant's own senders in order, with the deployment's where it has none", async () => {
  const peer = await startTenantSmtp()
  const email = [smtpSettings(peer, { name: 'main', user: 'a', password: 'secret' }), smtpSettings(peer)]
  const tenant = await service.addTenant({ configuration: { delivery: { email } } })
  const names = async () => (await statistics(tenant)).senders.map(({ method, name, state }) => [method, name, state])
  assert.deepEqual(await names(), [
    ['email', 'main', 'ok'],
    ['email', 'smtp', 'ok'],
    ['sms', 'twilio', 'ok'],
  ])
  assert.ok(!JSON.stringify(await statistics(tenant)).includes('secret'))

  const { modules } = storedRow(service, 'SELECT modules FROM tenants WHERE id = ?', tenant.tenantId)
  const lost = JSON.stringify({ ...JSON.parse(String(modules)), $senderSecrets: sealedElsewhere(String(modules)) })
  await writeStored(
    service,
    'UPDATE tenants SET modules = ?, revision = revision + 1 WHERE id = ?',
    lost,
    tenant.tenantId,
  )
  const { senders } = await statistics(tenant)
  assert.deepEqual(
    senders.map(({ name, state }) => [name, state]),
    [
      ['main', 'broken'],
      ['smtp', 'broken'],
      ['twilio', 'ok'],
    ],
  )
  assert.match(senders[0]!.lastError!, /cannot be opened with the master keys/)
})

/** The secrets of senders with a seal that no master key opens. */
const sealedElsewhere = (modules: string): Record<string, string> =>
  Object.fromEntries(Object.keys(JSON.parse(modules).$senderSecrets).map((key) => [key, 'sealed elsewhere']))

test('outside production there are no senders, and an unknown tenant is 404', async () => {
  await using development = await startTestService()
  const { tenantId } = await development.addTenant()
  assert.deepEqual((await development.admin.getMessageStatistics({ tenantId })).senders, [])
  const unknown = development.admin.getMessageStatistics({ tenantId: 'unknown' })
  await assert.rejects(unknown, { code: 'TENANT_NOT_FOUND' })
})
