import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldMessages, validationMessage } from '../validation-messages.ts'
import {
  EmailSender,
  EmailSenders,
  environmentSettings,
  SmsSender,
  SmsSenders,
  senderKinds,
} from './delivery-senders.ts'
import { maskedSecret, type SenderKind } from './sender-kind.ts'
import { senderNames } from './sender-names.ts'

const smtp = { type: 'smtp', host: 'smtp.example.com' } as const
const http = { type: 'http', url: 'https://sms.example.com/messages', secret: `whsec_${'A'.repeat(43)}=` } as const
const twilio = {
  type: 'twilio',
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: '0'.repeat(32),
  from: '+15005550006',
} as const

/** The validation messages of a value by field. */
function messages(schema: typeof EmailSender | typeof SmsSender | typeof EmailSenders, value: unknown) {
  const parsed = schema.safeParse(value, { error: validationMessage })
  return parsed.success ? null : { ...fieldMessages(parsed.error.issues) }
}

test('accepts a sender with only the required fields', () => {
  assert.deepEqual(EmailSender.parse(smtp), { ...smtp, port: 587 })
  assert.deepEqual(EmailSender.parse(http), http)
  assert.deepEqual(SmsSender.parse(twilio), twilio)
  assert.deepEqual(SmsSender.parse(http), http)
})

test('accepts a host name or an IP address as host, nothing else', () => {
  for (const host of ['mail', 'smtp.example.com', '192.0.2.1', '2001:db8::1', 'xn--mnch-0ra.example'])
    assert.equal(messages(EmailSender, { ...smtp, host }), null, host)
  const wrong = [
    '',
    'smtp://mail.example',
    'mail.example:587',
    'user@mail.example',
    'mail.example\r\nx',
    'a b',
    '-a.example',
    '[::1]',
  ]
  for (const host of [...wrong, `${'a.'.repeat(127)}example`, `${'a'.repeat(64)}.example`])
    assert.match(messages(EmailSender, { ...smtp, host })?.host ?? '', /^Give the host name alone/, host)
})

test('requires user and password together', () => {
  assert.equal(messages(EmailSender, { ...smtp, user: 'apikey', password: 'secret' }), null)
  const both = 'Give both user and password, or neither'
  assert.deepEqual(messages(EmailSender, { ...smtp, user: 'apikey' }), { password: both })
  assert.deepEqual(messages(EmailSender, { ...smtp, password: 'secret' }), { user: both })
  assert.match(messages(EmailSender, { ...smtp, user: 'a\r\nb', password: 'x' })?.user ?? '', /^Give a user name/)
})

test('requires exactly one of from and messagingServiceSid for Twilio', () => {
  const messagingServiceSid = `MG${'0'.repeat(32)}`
  const { from: _, ...neither } = twilio
  assert.equal(messages(SmsSender, { ...neither, messagingServiceSid }), null)
  const one = { from: 'Give either from or messagingServiceSid' }
  assert.deepEqual(messages(SmsSender, neither), one)
  assert.deepEqual(messages(SmsSender, { ...twilio, messagingServiceSid }), one)
  for (const from of ['12345', 'Tenantry', 'My Shop 24'])
    assert.equal(messages(SmsSender, { ...twilio, from }), null, from)
  for (const from of ['+0123', '', 'name of twelve', 'a\nb', '1234567890 1', 'whatsapp:+15005550006'])
    assert.match(messages(SmsSender, { ...twilio, from })?.from ?? '', /^Give a number/, from)
})

test('requires a plain URL and a secret of at least 24 bytes for a gateway', () => {
  for (const url of [
    '',
    'sms.example.com',
    'ftp://sms.example.com',
    'https://u:p@sms.example.com',
    'https://sms.example.com/#x',
  ])
    assert.match(messages(SmsSender, { ...http, url })?.url ?? '', /^Give a whole URL/, url)
  for (const secret of [
    '',
    'secret',
    'whsec_',
    `whsec_${'A'.repeat(28)}`,
    `whsec_${'A'.repeat(33)}`,
    `whsec_${'A'.repeat(96)}`,
  ])
    assert.match(messages(SmsSender, { ...http, secret })?.secret ?? '', /openssl rand -base64 32/, secret)
})

test('accepts the masked secret', () => {
  assert.equal(messages(EmailSender, { ...smtp, user: 'apikey', password: maskedSecret }), null)
  assert.equal(messages(SmsSender, { ...http, secret: maskedSecret }), null)
  assert.equal(messages(SmsSender, { ...twilio, authToken: maskedSecret }), null)
})

test('rejects unknown keys, unknown types and senders of the other method', () => {
  assert.deepEqual(messages(EmailSender, { ...smtp, url: 'x' }), { url: 'Unrecognized key' })
  assert.deepEqual(messages(EmailSender, { ...twilio }), { type: 'Invalid enum value' })
  assert.deepEqual(messages(SmsSender, { ...smtp }), { type: 'Invalid enum value' })
  assert.deepEqual(messages(SmsSender, {}), { type: 'Required' })
})

test('rejects more than five senders and duplicate names', () => {
  assert.equal(messages(EmailSenders, [smtp, smtp, http]), null)
  assert.deepEqual(messages(EmailSenders, Array(6).fill(smtp)), { body: 'List at most 5 senders' })
  const named = { ...smtp, name: 'main' }
  assert.deepEqual(messages(EmailSenders, [named, smtp, named]), {
    '2.name': 'Duplicate sender name; sender names must be unique',
  })
  assert.match(messages(EmailSender, { ...smtp, name: 'Main!' })?.name ?? '', /^Name a sender/)
  assert.deepEqual(SmsSenders.parse([]), [])
})

test('names unnamed senders by their type, avoiding configured names', () => {
  assert.deepEqual(senderNames([smtp, smtp, http, smtp]), ['smtp', 'smtp-2', 'http', 'smtp-3'])
  assert.deepEqual(senderNames([smtp, { type: 'smtp', name: 'smtp' }, smtp]), ['smtp-2', 'smtp', 'smtp-3'])
})

test('every kind lists its secrets, which accept the mask', () => {
  const settings: Record<string, Record<string, unknown>> = {
    smtp: { ...smtp, user: 'u', password: 'p' },
    twilio,
    http,
  }
  for (const { type, secrets, settings: schema } of senderKinds as readonly SenderKind[]) {
    assert.ok(type in settings, `add settings of ${type} to this test`)
    for (const secret of secrets) {
      assert.ok(secret in settings[type]!, `${type}.${secret}`)
      assert.ok(schema.safeParse({ ...settings[type], [secret]: maskedSecret }).success, `${type}.${secret}`)
    }
  }
})

test('names the settings of the environment by method', () => {
  assert.equal(environmentSettings('email'), 'SMTP_URL and MAIL_FROM')
  assert.equal(environmentSettings('sms'), 'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM')
})
