import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldMessages, validationMessage } from '../validation-messages.ts'
import { canonicalLocale, DeliveryTemplates, TemplateKind } from './delivery-templates.ts'

const problems = (templates: unknown): Record<string, string> => {
  const { error } = DeliveryTemplates.safeParse(templates, { error: validationMessage })
  return { ...fieldMessages(error?.issues ?? []) }
}
const sms = (byLocale: unknown) => problems({ otp_signin: { sms: byLocale } })

test('accepts templates for every kind, method and locale unchanged', () => {
  const templates = {
    otp_signin: {
      email: { 'pt-BR': { subject: 'Código', text: '{{ code }}', html: '<b>{{ code }}</b>' } },
      sms: { 'zh-Hant': { text: '{{ code }}' } },
    },
    password_changed: { email: { en: { subject: 'Changed', text: 'Changed' } } },
  }
  assert.deepEqual(DeliveryTemplates.parse(templates), templates)
  const everyKind = Object.fromEntries(TemplateKind.options.map((kind) => [kind, { sms: { en: { text: 'x' } } }]))
  assert.deepEqual(DeliveryTemplates.parse(everyKind), everyKind)
  assert.deepEqual(problems({}), {})
})

test('rejects unknown kinds, methods and parts by name', () => {
  assert.deepEqual(problems({ welcome: {} }), { welcome: 'Unrecognized key' })
  assert.deepEqual(problems({ otp_signin: { push: {} } }), { 'otp_signin.push': 'Unrecognized key' })
  assert.deepEqual(sms({ en: { text: 'x', subject: 'x' } }), { 'otp_signin.sms.en.subject': 'Unrecognized key' })
})

test('rejects a locale that is not canonical', () => {
  assert.deepEqual(sms({ 'de-at': { text: 'x' } }), { 'otp_signin.sms.de-at': 'Use the canonical tag de-AT' })
  for (const locale of [
    '',
    'english',
    'de_AT',
    '*',
    'und',
    'x-foo',
    'en-',
    'constructor',
    `en${'-abcdefgh'.repeat(5)}`,
  ])
    assert.deepEqual(sms({ [locale]: { text: 'x' } }), {
      [`otp_signin.sms.${locale}`]: 'Expected a language tag such as en, pt-BR or zh-Hant',
    })
})

test('treats `__proto__` as a malformed locale', () => {
  const parsed = DeliveryTemplates.safeParse(JSON.parse('{"otp_signin":{"sms":{"__proto__":{"text":"x"}}}}'))
  assert.equal(Object.hasOwn(parsed.data?.otp_signin?.sms ?? {}, '__proto__'), false)
  assert.equal(({} as { text?: string }).text, undefined)
})

test('limits each part in code points and rejects empty ones', () => {
  const sizes = { subject: 200, text: 10_000, html: 100_000 }
  const email = (parts: object) => problems({ otp_signin: { email: { en: { subject: 'x', text: 'x', ...parts } } } })
  for (const [part, size] of Object.entries(sizes)) {
    const path = `otp_signin.email.en.${part}`
    assert.deepEqual(email({ [part]: '😀'.repeat(size) }), {})
    assert.match(email({ [part]: 'x'.repeat(size + 1) })[path]!, new RegExp(`at most ${size} char`))
    assert.match(email({ [part]: '' })[path]!, /at least 1 char/)
  }
  assert.deepEqual(sms({ en: { text: 'x'.repeat(1000) } }), {})
  assert.match(sms({ en: { text: 'x'.repeat(1001) } })['otp_signin.sms.en.text']!, /at most 1000 char/)
})

test('rejects more than 50 locales', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const locales = Array.from({ length: 51 }, (_, i) =>
    `en-${letters[Math.floor(i / 26)]}${letters[i % 26]}`.toUpperCase(),
  )
  const byLocale = Object.fromEntries(locales.map((tag) => [tag.replace('EN', 'en'), { text: 'x' }]))
  assert.equal(sms(byLocale)['otp_signin.sms'], 'At most 50 locales are allowed')
})

test('is idempotent for canonical locales', () => {
  for (const [tag, canonical] of [
    ['EN-us', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['de-DE-u-co-phonebk', 'de-DE'],
    ['es-419', 'es-419'],
  ] as const) {
    assert.equal(canonicalLocale(tag), canonical)
    assert.equal(canonicalLocale(canonical), canonical)
  }
})
