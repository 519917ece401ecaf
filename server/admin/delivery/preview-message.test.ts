import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NoticeKind } from '../../../contract/tenants/delivery-templates.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

const scope = 'otp_signin'

let development: TestService

before(async () => {
  development = await startTestService()
})
after(() => development.close())

test('previews the message with a code of the tenant’s length and a masked recipient', async () => {
  const { tenantId } = await development.addTenant({ configuration: { otp: { length: 8, ttlSeconds: 300 } } })
  const { subject, text, html, ...rest } = await development.admin.previewMessage(
    { tenantId },
    { kind: 'reset_password', method: 'email', locale: 'fr-CA' },
  )
  assert.match(subject ?? '', /Test tenant/)
  assert.match(text, /^48291375$/m)
  assert.match(text, /5 minutes/)
  assert.match(html ?? '', /48291375/)
  assert.deepEqual(rest, { locale: 'fr', fallback: false })
  for (const kind of NoticeKind.options) {
    const sms = await development.admin.previewMessage({ tenantId }, { kind, method: 'sms', undo: false })
    assert.deepEqual([sms.subject, sms.html, sms.locale], [null, null, 'en'])
    assert.doesNotMatch(sms.text, /4829/)
  }
  await development.service.services.delivery.drain()
  const { messages } = await development.admin.listTestingChannelMessages({ tenantId })
  assert.deepEqual(messages, [])
})

test('previews the notice of a changed address with an undo code of eight digits and its id, unless disabled', async () => {
  const { tenantId } = await development.addTenant({ configuration: { otp: { length: 4 } } })
  for (const kind of NoticeKind.options) {
    const { text, html } = await development.admin.previewMessage({ tenantId }, { kind, method: 'email' })
    const carriesUndo = kind === 'email_changed' || kind === 'phone_changed'
    assert.equal(/^48291375$/m.test(text), carriesUndo, kind)
    assert.equal(/^01JZ8Q4W6N3T5V7X9Y2B4C6D8E$/m.test(text), carriesUndo, kind)
    assert.equal(/72 hours/.test(text), carriesUndo, kind)
    assert.equal(html?.includes('01JZ8Q4W6N3T5V7X9Y2B4C6D8E'), carriesUndo, kind)
  }
})

test('previews the stored templates, or candidates without storing them', async () => {
  const templates = { [scope]: { sms: { en: { text: 'Stored {{ code }} to {{ recipient }}' } } } }
  const { tenantId } = await development.addTenant({ configuration: { delivery: { templates, defaultLocale: 'en' } } })
  const preview = async (text?: string) =>
    (
      await development.admin.previewMessage(
        { tenantId },
        { kind: scope, method: 'sms', ...(text && { templates: { [scope]: { sms: { en: { text } } } } }) },
      )
    ).text
  assert.equal(await preview(), 'Stored 482913 to +33******78')
  assert.equal(await preview('Candidate {{ code }}'), 'Candidate 482913')
  assert.equal(await preview(), 'Stored 482913 to +33******78')
  await assert.rejects(preview('No code'), {
    code: 'VALIDATION_ERROR',
    validation: {
      'templates.otp_signin.sms.en.text':
        'Put {{ code }} where every recipient gets it; without the code this message is useless',
    },
  })
})
