import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedRow, writeStored } from '../../test/support/databases/stored-rows.ts'
import { deliveredTo, email, outboxOf, sms } from '../../test/support/delivery/notices.ts'
import { addPerson } from '../../test/support/person.ts'
import { addRecoveryCode } from '../../test/support/recovery-code.ts'
import { startTestService } from '../../test/support/service.ts'
import { noticeFor } from './notice.ts'
import { TemporaryFailure } from './provider.ts'

const day = 86_400_000

test('shows undo code and id in text, HTML and the testing channel', async () => {
  await using service = await startTestService()
  const htmls: (string | null)[] = []
  const { transport } = service.service.services
  const { deliver } = transport
  transport.deliver = (job, ...rest) => {
    htmls.push(job.rendered.html)
    return deliver(job, ...rest)
  }
  const { tenantId } = await service.addTenant({ configuration: { delivery: { webOtpDomain: 'app.example.com' } } })
  for (const [kind, to] of [
    ['email_changed', email],
    ['phone_changed', sms],
  ] as const) {
    const { otpId, code } = await addRecoveryCode(service, tenantId, { userId: 'ada', ...to })
    const notice = noticeFor(kind, { userId: 'ada', locale: 'en', ...to, otpId }, service.clock.now())
    await outboxOf(service, tenantId).notify(notice)
    const message = (await deliveredTo(service, tenantId)).find(({ id }) => id === notice.id)
    assert.match(code, /^\d{8}$/)
    assert.deepEqual([message?.code, message?.otpId, message?.scope], [code, otpId, null])
    assert.ok(message?.text.includes(code) && message.text.includes(otpId), message?.text)
    assert.ok(message?.text.includes('72 hours'), message?.text)
    assert.ok(!message?.text.includes('@app.example.com'), 'no browser may offer it to a site')
    const [html] = htmls.splice(0)
    if (to === email) assert.ok(html?.includes(`>${code}<`) && html.includes(`>${otpId}<`))
    const { items } = await service.admin.listMessages({ tenantId }, { otpId })
    assert.deepEqual(
      items.map(({ id, kind: about, scope, state }) => [id, about, scope, state]),
      [[notice.id, kind, null, 'sent']],
    )
  }
})

test('sends a notice without an undo code that is no longer pending', async () => {
  await using service = await startTestService()
  const templates = { email_changed: { email: { fr: { subject: 'x', text: 'Sans.{{ code }}{{ id }}{{ hours }}' } } } }
  const { tenantId } = await service.addTenant({ configuration: { delivery: { templates } } })
  for (const state of ['verified', 'consumed', 'cancelled', 'locked']) {
    const to = { userId: 'ada', ...email }
    const { otpId, code } = await addRecoveryCode(service, tenantId, to)
    const [notice, own] = ['en', 'fr'].map((locale) =>
      noticeFor('email_changed', { ...to, locale, otpId }, service.clock.now()),
    )
    await writeStored(service, 'UPDATE otps SET state = ?, sealed_code = NULL WHERE id = ?', state, otpId)
    for (const one of [notice!, own!]) await outboxOf(service, tenantId).notify(one)
    const messages = await deliveredTo(service, tenantId)
    assert.equal(messages.find(({ id }) => id === own!.id)?.text, 'Sans.\n')
    const message = messages.find(({ id }) => id === notice!.id)
    assert.deepEqual([message?.code, message?.otpId], [null, otpId], state)
    assert.ok(!message?.text.includes(code) && !message?.text.includes(otpId), message?.text)
    assert.match(message?.text ?? '', /contact Test tenant support immediately/)
  }
})

test('delivers an undo code for 72 hours, and other notices for a day', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { transport } = service.service.services
  const { deliver } = transport
  const outage: typeof deliver = () => Promise.reject(new TemporaryFailure('not now'))
  transport.deliver = outage
  const to = { userId: 'ada', ...email }
  const { otpId, code } = await addRecoveryCode(service, tenantId, to)
  const now = service.clock.now()
  const withUndo = noticeFor('email_changed', { ...to, locale: 'en', otpId }, now)
  const without = noticeFor('email_changed', { ...to, locale: 'en' }, now)
  assert.deepEqual([withUndo.expiresAt - now, without.expiresAt - now], [3 * day, day])
  for (const notice of [withUndo, without]) await outboxOf(service, tenantId).notify(notice)
  await deliveredTo(service, tenantId)
  // As many as there are in an outage of that time, with at least 45 s from one to the next.
  await writeStored(service, 'UPDATE outbox SET attempts = ?', (3 * day) / 45_000)
  transport.deliver = deliver
  service.clock.advance(3 * day - 1)
  const [message, ...more] = await deliveredTo(service, tenantId)
  assert.deepEqual([message?.id, message?.code, more], [withUndo.id, code, []])
  const state = 'SELECT state FROM outbox WHERE id = ?'
  assert.deepEqual(storedRow(service, state, without.id), { state: 'failed' })
})

test('retries a failed notice until it expires, with its undo code if that is pending', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { delivery } = service.service.services
  const to = { userId: 'ada', ...email }
  const { otpId, code } = await addRecoveryCode(service, tenantId, to)
  const notice = noticeFor('email_changed', { ...to, locale: 'en', otpId }, service.clock.now())
  await outboxOf(service, tenantId).notify(notice)
  await delivery.drain()
  const fail = () => writeStored(service, "UPDATE outbox SET state = 'failed' WHERE id = ?", notice.id)
  const again = async () => {
    await fail()
    await writeStored(service, 'UPDATE outbox SET place = NULL')
    await service.admin.retryMessage({ tenantId, messageId: notice.id })
    return (await deliveredTo(service, tenantId)).map((message) => message.code)
  }
  assert.deepEqual(await again(), [code])
  await writeStored(service, "UPDATE otps SET state = 'cancelled', sealed_code = NULL WHERE id = ?", otpId)
  assert.deepEqual(await again(), [null])
  await fail()
  service.clock.advance(3 * day)
  await assert.rejects(service.admin.retryMessage({ tenantId, messageId: notice.id }), {
    code: 'MESSAGE_NOT_RETRYABLE',
  })
})

test('exports the notice with an undo code, but not the code as a one-time password', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { userId } = person
  const { otpId } = await addRecoveryCode(service, tenant.tenantId, { userId, ...email })
  const notice = noticeFor('email_changed', { userId, locale: 'en', ...email, otpId }, service.clock.now())
  await outboxOf(service, tenant.tenantId).notify(notice)
  const { otps, messages } = await (await person.client()).exportAccount()
  assert.ok(!otps.some(({ id }) => id === otpId))
  const exported = messages.find(({ id }) => id === notice.id)
  assert.deepEqual([exported?.kind, exported?.recipient], ['email_changed', email.recipient])
})

test('rejects undo codes for every scope of the API', async () => {
  await using service = await startTestService()
  const { tenantId, client } = await service.addTenant()
  const { otpId: id, code } = await addRecoveryCode(service, tenantId, { userId: 'ada', ...email })
  for (const scope of ['email_verification', 'phone_verification', 'reset_password', 'otp_signin'] as const) {
    await assert.rejects(client.verifyOtp({ id, scope, code }), { code: 'OTP_NOT_FOUND' })
    await assert.rejects(client.resendOtp({ id, scope }), { code: 'OTP_NOT_FOUND' })
    await assert.rejects(client.getOtpStatus({ id, scope }), { code: 'OTP_NOT_FOUND' })
  }
  await assert.rejects(client.verifyOtp({ id, scope: 'address_recovery' as never, code }), { code: 'VALIDATION_ERROR' })
})
