import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import { ulid } from '../../server/core/ids.ts'
import { storedBytes, storedMessages, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

test('shows code and text in the testing channel, and stores both encrypted', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant({ configuration: { otp: { length: 10 } } })
  const person = await addPerson(service, tenant)
  for (const scope of OtpScope.options) {
    const { id } = await person.issue(scope)
    await service.codeOf(id)
    const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
    assert.equal(messages.length, 1)
    const { code, text, ...shown } = messages[0]!
    const sms = scope === 'phone_verification'
    assert.deepEqual(shown, {
      id: shown.id,
      tenantId: tenant.tenantId,
      otpId: id,
      scope,
      deliveryMethod: sms ? 'sms' : 'email',
      recipient: sms ? person.phone : person.email,
      createdAt: new Date(service.clock.now()).toISOString(),
    })
    assert.match(code!, /^\d{10}$/)
    assert.ok(text.includes(code!) && text.includes('10 minutes'), text)
    const file = storedBytes(service)
    assert.ok(file.includes(person.email))
    assert.ok(!file.includes(code!) && !file.includes('10 minutes'))
    for (const line of service.log) assert.ok(!line.includes(code!), line)
  }
})

test('filters the testing channel by tenant, one-time password and recipient, oldest first', async () => {
  await using service = await startTestService()
  const [one, two] = [await service.addTenant(), await service.addTenant()]
  const issue = async ({ client }: TestTenant, email: string) => {
    service.clock.advance(1)
    const { id } = await client.issueOtp({ scope: 'otp_signin', email })
    await service.service.services.delivery.drain()
    return id
  }
  const first = await issue(one, 'a@example.com')
  const second = await issue(two, 'a@example.com')
  const third = await issue(one, 'b@example.com')
  const list = async (filter: Parameters<typeof service.admin.listTestingChannelMessages>[0]) =>
    (await service.admin.listTestingChannelMessages(filter)).messages.map(({ otpId }) => otpId)
  assert.deepEqual(await list({}), [first, second, third])
  assert.deepEqual(await list({ tenantId: one.tenantId }), [first, third])
  assert.deepEqual(await list({ recipient: 'a@example.com' }), [first, second])
  assert.deepEqual(await list({ recipient: 'a@example.com', tenantId: two.tenantId }), [second])
  assert.deepEqual(await list({ otpId: third, tenantId: two.tenantId }), [])
})

test('requires the admin key for the testing channel, which does not exist in production', async () => {
  const route = 'GET /admin/testing-channel/messages'
  const headers = (adminKey: string) => ({ headers: { authorization: `Bearer ${adminKey}` } })
  await using development = await startTestService()
  assert.equal((await request(development, route)).body.error.code, 'MISSING_ADMIN_KEY')
  assert.equal((await request(development, route, headers('wrong'))).body.error.code, 'INVALID_ADMIN_KEY')
  await using staging = await startTestService({ environment: 'staging' })
  assert.equal((await request(staging, route, headers(staging.adminKey))).status, 200)
  await using production = await startTestService({ environment: 'production' })
  const { status, body } = await request(production, route, headers(production.adminKey))
  assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  await refused(production.admin.listTestingChannelMessages(), 'NOT_FOUND')
})

test('clears the messages of one tenant, or all, and keeps codes and the list of messages', async () => {
  await using service = await startTestService()
  const [one, two] = [await service.addTenant(), await service.addTenant()]
  const issue = async ({ client }: TestTenant, email: string) => {
    const { id } = await client.issueOtp({ scope: 'otp_signin', email })
    await service.service.services.delivery.drain()
    return id
  }
  const id = await issue(one, 'ada@example.com')
  await issue(two, 'bob@example.com')
  const code = await service.codeOf(id)
  const recipients = async () =>
    (await service.admin.listTestingChannelMessages({})).messages.map(({ recipient }) => recipient)
  assert.equal(await service.admin.clearTestingChannelMessages({ tenantId: one.tenantId }), undefined)
  assert.deepEqual(await recipients(), ['bob@example.com'])
  const [row] = storedMessages(service, id)
  assert.deepEqual([row?.['posted_to'], row?.['sealed']], [null, null])
  assert.deepEqual(await one.client.verifyOtp({ id, scope: 'otp_signin', code }), { success: true })
  const { items } = await service.admin.listMessages({ tenantId: one.tenantId })
  assert.deepEqual([items[0]?.recipient, items[0]?.state], ['ada@example.com', 'sent'])
  await issue(one, 'eve@example.com')
  assert.deepEqual(await recipients(), ['bob@example.com', 'eve@example.com'])
  await service.admin.clearTestingChannelMessages({})
  assert.deepEqual(await recipients(), [])
  await refused(service.admin.clearTestingChannelMessages({ tenantId: 'unknown' }), 'TENANT_NOT_FOUND')
})

test('clears more messages than one transaction does', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { inbox } = service.service.services.storage.system
  const entry = () => ({ ...posted, tenantId, id: ulid(service.clock.now()), createdAt: service.clock.now() })
  await inbox.post(Array.from({ length: 1_001 }, entry))
  await service.admin.clearTestingChannelMessages({})
  assert.deepEqual(await inbox.list({}, 10), [])
})

const posted = {
  otpId: null,
  scope: null,
  deliveryMethod: 'email',
  recipient: 'ada@example.com',
  sealed: 'sealed',
} as const

test('an operator without messages:write, and every caller in production, cannot clear the testing channel', async () => {
  const route = 'DELETE /admin/testing-channel/messages'
  await using service = await startTestService()
  const { key } = await service.admin.createOperator({ name: 'Reader', scopes: ['codes:read', 'messages:read'] })
  const { status, body } = await request(service, route, { headers: { authorization: `Bearer ${key}` } })
  assert.deepEqual([status, body.error.code], [403, 'INSUFFICIENT_SCOPE'])
  await using production = await startTestService({ environment: 'production' })
  await refused(production.admin.clearTestingChannelMessages({}), 'NOT_FOUND')
})

const recordedReads = (service: TestService): number => {
  const logs = ['event_queue', 'events'].map((table) => `SELECT id FROM ${table} WHERE type = 'codes.read'`)
  return storedRows(service, `${logs.join(' UNION ')} ORDER BY id`).length
}

async function readNewCode(service: TestService, { client, tenantId }: TestTenant): Promise<void> {
  await client.issueOtp({ scope: 'otp_signin', email: 'a@example.com' })
  await service.service.services.delivery.drain()
  await service.admin.listTestingChannelMessages({ tenantId })
}

test('records that codes of each of two tenants are read once a minute, also in turns', async () => {
  await using service = await startTestService()
  const tenants = [await service.addTenant(), await service.addTenant()]
  for (let turn = 0; turn < 2; turn++) for (const tenant of tenants) await readNewCode(service, tenant)
  assert.equal(recordedReads(service), 2)
  service.clock.advance(60_000)
  for (const tenant of tenants) await readNewCode(service, tenant)
  assert.equal(recordedReads(service), 4)
})

test('records that codes are read after the clock was set back by a year', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const read = async () => {
    await readNewCode(service, tenant)
    return recordedReads(service)
  }
  const year = 365 * 86_400_000
  service.clock.advance(year)
  assert.equal(await read(), 1)
  service.clock.advance(-year)
  assert.equal(await read(), 2)
  assert.equal(await read(), 2)
})
