import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ManagedMessage } from '../../../contract/admin/messages.ts'
import { createTenantryAdmin, type TenantryAdminOptions } from '../../../packages/client/src/admin.ts'
import { changesNothing, storedRow, writeStored } from '../../../test/support/databases/stored-rows.ts'
import { request } from '../../../test/support/http/raw-request.ts'
import { addPerson } from '../../../test/support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'

const scope = 'otp_signin'
let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const drain = () => service.service.services.delivery.drain()

async function issue({ client }: TestTenant, to: { email: string } | { phone: string }, locale?: string) {
  const otp = await client.issueOtp({ scope, ...to, ...(locale !== undefined && { locale }) })
  await drain()
  service.clock.advance(1)
  return otp
}

/** Makes the message fail like a provider's refusal. */
async function fail(otpId: string): Promise<void> {
  const failed = "state = 'failed', last_error = 'mx.example.com refused the message (550)', settled_at = ?"
  await writeStored(service, `UPDATE outbox SET ${failed} WHERE otp_id = ?`, service.clock.now(), otpId)
}

const messageOf = async ({ tenantId }: TestTenant, otpId: string) => {
  const { items } = await service.admin.listMessages({ tenantId }, { otpId })
  assert.equal(items.length, 1)
  return items[0]!
}

test('shows recipient and state of a message, but none of its content', async () => {
  const tenant = await service.addTenant()
  const { id: otpId, expiresAt } = await tenant.client.issueOtp({ scope, email: 'Ada@Example.com', locale: 'fr' })
  const code = await service.codeOf(otpId)
  const message = await messageOf(tenant, otpId)
  assert.deepEqual(ManagedMessage.parse(message), message)
  const now = new Date(service.clock.now()).toISOString()
  assert.deepEqual(message, {
    ...{ id: message.id, otpId, kind: 'otp', scope, deliveryMethod: 'email', recipient: 'ada@example.com' },
    ...{ locale: 'fr', state: 'sent', attempts: 1, lastError: null, sender: null },
    ...{ createdAt: now, nextAttemptAt: null, expiresAt, settledAt: now },
  })
  assert.ok(!JSON.stringify(message).includes(code))
})

test('shows a notice as a message without a one-time password', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
  await drain()
  const { items } = await service.admin.listMessages({ tenantId: tenant.tenantId })
  const notice = items.find(({ kind }) => kind === 'password_changed')
  assert.deepEqual([notice?.otpId, notice?.scope, notice?.recipient], [null, null, person.email])
})

test('lists messages newest first, by state, one-time password, and any spelling of the recipient', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const first = await issue(tenant, { email: 'ada@example.com' })
  const second = await issue(tenant, { phone: '+33612345678' })
  const third = await issue(tenant, { email: 'ada@example.com' })
  await fail(second.id)
  const list = async (query: Parameters<typeof service.admin.listMessages>[1]) =>
    (await service.admin.listMessages({ tenantId }, query)).items.map(({ otpId }) => otpId)
  assert.deepEqual(await list({}), [third.id, second.id, first.id])
  assert.deepEqual(await list({ state: 'failed' }), [second.id])
  assert.deepEqual(await list({ state: 'sent' }), [third.id, first.id])
  assert.deepEqual(await list({ state: 'queued' }), [])
  assert.deepEqual(await list({ recipient: ' ADA@example.com' }), [third.id, first.id])
  assert.deepEqual(await list({ recipient: '+33 6 12 34 56 78' }), [second.id])
  assert.deepEqual(await list({ recipient: 'unknown' }), [])
  assert.deepEqual(await list({ otpId: first.id, recipient: 'ada@example.com', state: 'sent' }), [first.id])
  assert.deepEqual(await list({ otpId: first.id, state: 'failed' }), [])
  const refusal = { code: 'VALIDATION_ERROR', validation: { state: 'Invalid enum value' } }
  await assert.rejects(list({ state: 'lost' as never }), refusal)
})

test('lists filtered messages in pages, and none of another tenant', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { tenantId } = tenant
  const issued: string[] = []
  for (let count = 0; count < 5; count++) issued.unshift((await issue(tenant, { email: 'ada@example.com' })).id)
  for (const query of [{}, { state: 'sent' }, { recipient: 'ada@example.com' }] as const) {
    const seen: (string | null)[] = []
    let cursor: string | null | undefined
    do {
      const page = { ...query, limit: '2', ...(cursor && { cursor }) }
      const { items, nextCursor } = await service.admin.listMessages({ tenantId }, page)
      seen.push(...items.map(({ otpId }) => otpId))
      cursor = nextCursor
    } while (cursor !== null)
    assert.deepEqual(seen, issued, JSON.stringify(query))
  }
  assert.deepEqual((await service.admin.listMessages({ tenantId: other.tenantId })).items, [])
  assert.deepEqual((await service.admin.listMessages({ tenantId: other.tenantId }, { otpId: issued[0] })).items, [])
})

test('retries a failed message immediately, with the same code', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const { id } = await issue(tenant, { email: 'ada@example.com' })
  const code = await service.codeOf(id)
  await fail(id)
  await writeStored(service, 'DELETE FROM inbox WHERE otp_id = ?', id)
  const { id: messageId, ...failed } = await messageOf(tenant, id)
  assert.deepEqual([failed.state, failed.lastError], ['failed', 'mx.example.com refused the message (550)'])
  const path = `POST /admin/tenants/${tenantId}/messages/${messageId}/retry`
  const { status, body } = await request(service, path, { headers: { authorization: `Bearer ${service.adminKey}` } })
  const now = new Date(service.clock.now()).toISOString()
  assert.equal(status, 201)
  const queued = { state: 'queued', attempts: 0, nextAttemptAt: now, settledAt: null }
  assert.deepEqual(body.data, { ...failed, id: messageId, ...queued })
  assert.equal(await service.codeOf(id), code)
  const { state, attempts, lastError } = await messageOf(tenant, id)
  assert.deepEqual([state, attempts, lastError], ['sent', 1, null])
})

test('answers MESSAGE_NOT_RETRYABLE for a sent or expired message, or one without a pending one-time password', async () => {
  const tenant = await service.addTenant()
  const { tenantId, client } = tenant
  const refused = (messageId: string) =>
    changesNothing(service, () =>
      assert.rejects(service.admin.retryMessage({ tenantId, messageId }), {
        code: 'MESSAGE_NOT_RETRYABLE',
        status: 422,
      }),
    )
  const sent = await issue(tenant, { email: 'ada@example.com' })
  await refused((await messageOf(tenant, sent.id)).id)
  const verified = await issue(tenant, { email: 'ada@example.com' })
  await client.verifyOtp({ id: verified.id, scope, code: await service.codeOf(verified.id) })
  await fail(verified.id)
  await refused((await messageOf(tenant, verified.id)).id)
  const expired = await issue(tenant, { email: 'ada@example.com' })
  await fail(expired.id)
  const { id } = await messageOf(tenant, expired.id)
  service.clock.set(Date.parse(expired.expiresAt) - 1)
  assert.equal((await service.admin.retryMessage({ tenantId, messageId: id })).state, 'queued')
  await drain()
  await fail(expired.id)
  service.clock.advance(1)
  await refused(id)
})

test('answers 404 for unknown messages, and 401 without the admin key', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { id } = await issue(tenant, { email: 'ada@example.com' })
  await fail(id)
  const { id: messageId } = await messageOf(tenant, id)
  const { tenantId } = other
  const found = { code: 'MESSAGE_NOT_FOUND', status: 404 }
  await assert.rejects(service.admin.retryMessage({ tenantId, messageId }), found)
  await assert.rejects(service.admin.retryMessage({ tenantId, messageId: 'x' }), found)
  const unknown = { tenantId: 'unknown', messageId }
  await assert.rejects(service.admin.retryMessage(unknown), { code: 'TENANT_NOT_FOUND' })
  await assert.rejects(service.admin.listMessages({ tenantId: 'unknown' }), { code: 'TENANT_NOT_FOUND' })
  const anyone = createTenantryAdmin({ baseUrl: service.baseUrl } as TenantryAdminOptions)
  await assert.rejects(anyone.listMessages({ tenantId }), { code: 'MISSING_ADMIN_KEY' })
  await assert.rejects(anyone.retryMessage({ tenantId, messageId }), { code: 'MISSING_ADMIN_KEY' })
  assert.deepEqual(storedRow(service, 'SELECT state FROM outbox WHERE id = ?', messageId), { state: 'failed' })
})
