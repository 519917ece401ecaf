import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedRow, storedRows } from '../../test/support/databases/stored-rows.ts'
import { deliveredTo, email, outboxOf, sms } from '../../test/support/delivery/notices.ts'
import { addPerson } from '../../test/support/person.ts'
import { addRecoveryCode } from '../../test/support/recovery-code.ts'
import { startTestService } from '../../test/support/service.ts'
import { noticeFor } from './notice.ts'
import { TemporaryFailure } from './provider.ts'

const day = 86_400_000

test('uses the tenant’s text or the built-in one for a notice, without a code', async () => {
  await using service = await startTestService()
  const templates = {
    email_changed: { email: { en: { subject: 'Moved', text: 'To {{ recipient }}{{ code }}{{ id }}' } } },
  }
  const { tenantId } = await service.addTenant({ configuration: { delivery: { templates } } })
  const now = service.clock.now()
  const to = { userId: 'ada', locale: 'en' }
  const byEmail = noticeFor('email_changed', { ...to, ...email }, now)
  const bySms = noticeFor('phone_changed', { ...to, ...sms }, now)
  await outboxOf(service, tenantId).notify(byEmail)
  await outboxOf(service, tenantId).notify(bySms)

  const messages = await deliveredTo(service, tenantId)
  assert.deepEqual(Object.fromEntries(messages.map(({ recipient, text }) => [recipient, text])), {
    'old@example.com': 'To o***@e***.com\n',
    '+33612345678':
      "Test tenant: the phone number of your account was changed or removed. If this wasn't you, contact support immediately.",
  })
  for (const { code, otpId, scope } of messages) assert.deepEqual([code, otpId, scope], [null, null, null])
  const { items } = await service.admin.listMessages({ tenantId })
  const listed = items.map(({ id, kind, otpId, scope, state }) => [id, { kind, otpId, scope, state }])
  assert.deepEqual(Object.fromEntries(listed), {
    [byEmail.id]: { kind: 'email_changed', otpId: null, scope: null, state: 'sent' },
    [bySms.id]: { kind: 'phone_changed', otpId: null, scope: null, state: 'sent' },
  })
})

test('cancels and erases the unsent messages of a deleted user, except the notice of the deletion', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const person = await addPerson(service, tenant)
  const { userId } = person
  await service.service.services.delivery.stop()
  const { otpId } = await addRecoveryCode(service, tenantId, { userId, ...email })
  const now = service.clock.now()
  const store = outboxOf(service, tenantId)
  await store.notify(noticeFor('email_changed', { userId, locale: 'en', ...email, otpId }, now))
  await store.notify(noticeFor('password_changed', { userId, locale: 'en', ...email }, now))
  const deleted = noticeFor('account_deleted', { userId, locale: 'en', ...email }, now)
  assert.equal(deleted.userId, null)
  await store.notify(deleted)
  await service.admin.deleteUser({ tenantId, userId })
  service.service.services.delivery.start()
  const texts = (await deliveredTo(service, tenantId)).map(({ text }) => text)
  assert.equal(texts.length, 1)
  assert.match(texts[0]!, /^Your Test tenant account was deleted\. You can no longer sign in to it\.\n/)
  const rows = storedRows(service, "SELECT kind, state, recipient FROM outbox WHERE kind <> 'otp' ORDER BY kind")
  assert.deepEqual(rows, [
    { kind: 'account_deleted', state: 'sent', recipient: '' },
    { kind: 'email_changed', state: 'cancelled', recipient: '' },
    { kind: 'password_changed', state: 'cancelled', recipient: '' },
  ])
  assert.deepEqual(storedRow(service, 'SELECT recipient, state FROM otps WHERE id = ?', otpId), {
    recipient: '',
    state: 'cancelled',
  })
})

test('erases the recipient of the deletion notice after it is sent', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { transport } = service.service.services
  const { deliver } = transport
  const outage: typeof deliver = () => Promise.reject(new TemporaryFailure('not now'))
  transport.deliver = outage
  const notices = [email, sms].map((to) =>
    noticeFor('account_deleted', { userId: 'ada', locale: 'en', ...to }, service.clock.now()),
  )
  const [mailed, texted] = notices
  await outboxOf(service, tenantId).notify(mailed!)
  await deliveredTo(service, tenantId)
  const stored = (id: string) => storedRow(service, 'SELECT state, recipient FROM outbox WHERE id = ?', id)
  assert.deepEqual(stored(mailed!.id), { state: 'queued', recipient: email.recipient })
  service.clock.advance(60_000)
  transport.deliver = deliver
  await deliveredTo(service, tenantId)
  assert.deepEqual(stored(mailed!.id), { state: 'sent', recipient: '' })
  transport.deliver = outage
  await outboxOf(service, tenantId).notify(texted!)
  await deliveredTo(service, tenantId)
  service.clock.advance(day)
  await deliveredTo(service, tenantId)
  assert.deepEqual(stored(texted!.id), { state: 'failed', recipient: '' })
  await assert.rejects(service.admin.retryMessage({ tenantId, messageId: texted!.id }), {
    code: 'MESSAGE_NOT_RETRYABLE',
  })
})
