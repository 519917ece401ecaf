import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/service.ts'
import { noticeFor } from './notice.ts'

test('a notice of a changed address goes to the one given up, in the tenant’s words or the built-in ones', async () => {
  await using service = await startTestService()
  const templates = { email_changed: { email: { en: { subject: 'Moved', text: 'No longer {{ recipient }}' } } } }
  const { tenantId } = await service.addTenant({ configuration: { delivery: { templates } } })
  const { messages: store } = service.service.services.storage.forTenant(tenantId)
  const now = service.clock.now()
  const to = { userId: 'ada', locale: 'en' }
  const byEmail = noticeFor('email_changed', { ...to, deliveryMethod: 'email', recipient: 'old@example.com' }, now)
  const bySms = noticeFor('phone_changed', { ...to, deliveryMethod: 'sms', recipient: '+33612345678' }, now)
  await store.notify(byEmail)
  await store.notify(bySms)
  await service.service.services.delivery.drain()

  const { messages } = await service.admin.listTestingChannelMessages({ tenantId })
  assert.deepEqual(Object.fromEntries(messages.map(({ recipient, text }) => [recipient, text])), {
    'old@example.com': 'No longer o***@e***.com\n',
    '+33612345678': 'Test tenant: the phone number of your account was changed. Not you? Contact support right away.',
  })
  const { items } = await service.admin.listMessages({ tenantId })
  const listed = items.map(({ id, kind, otpId, scope, state }) => [id, { kind, otpId, scope, state }])
  assert.deepEqual(Object.fromEntries(listed), {
    [byEmail.id]: { kind: 'email_changed', otpId: null, scope: null, state: 'sent' },
    [bySms.id]: { kind: 'phone_changed', otpId: null, scope: null, state: 'sent' },
  })
})

test('a notice is worth sending for a day', () => {
  const to = { userId: 'ada', deliveryMethod: 'email', recipient: 'ada@example.com', locale: 'fr' } as const
  const { id, ...notice } = noticeFor('password_changed', to, 1_000)
  assert.match(id, /^[0-9A-Z]{26}$/)
  assert.deepEqual(notice, { kind: 'password_changed', ...to, createdAt: 1_000, expiresAt: 86_401_000 })
})
