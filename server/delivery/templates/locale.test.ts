import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalLocale } from '../../../contract/tenants/delivery-templates.ts'
import { anyText } from '../../../test/support/any-text.ts'
import { availableLocales, chooseLocale, lookupOrder } from './locale.ts'

test('the request goes before the user, the user before the browser, the browser before the tenant', () => {
  const sources = { requested: 'fr', user: 'es', acceptLanguage: 'de', tenantDefault: 'vi' }
  assert.equal(chooseLocale(sources), 'fr')
  assert.equal(chooseLocale({ ...sources, requested: null }), 'es')
  assert.equal(chooseLocale({ ...sources, requested: null, user: null }), 'de')
  assert.equal(chooseLocale({ tenantDefault: 'vi' }), 'vi')
  assert.equal(chooseLocale({}), 'en')
})

test('tags come out in their canonical spelling, without extensions', () => {
  assert.equal(chooseLocale({ requested: 'ZH-hant-tw' }), 'zh-Hant-TW')
  assert.equal(chooseLocale({ requested: 'de-de-u-co-phonebk' }), 'de-DE')
  assert.equal(chooseLocale({ acceptLanguage: 'EN-gb' }), 'en-GB')
})

test('the malformed is passed over at every place', () => {
  for (const bad of ['', '*', 'und', 'de_AT', 'x-klingon', 'e', '../../x', 'de-', 'en\r\nX: y', 'a'.repeat(99)]) {
    assert.equal(chooseLocale({ requested: bad, user: bad, acceptLanguage: bad, tenantDefault: 'ja' }), 'ja', bad)
    assert.equal(chooseLocale({ tenantDefault: bad }), 'en', bad)
  }
})

const browsers: [header: string, locale: string][] = [
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr-CH'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['de;q=0.5,fr;q=0.5', 'de'], // equal: as written
  ['zu, de-AT;q=0.8', 'de-AT'], // no text in Zulu
  ['zu', 'en'],
  ['ja;q=0, es', 'es'],
  ['ja;q=2, es;q=abc, vi;q=0.1', 'vi'],
  ['ja;q=0.1234, vi;q=0.123', 'vi'],
  ['ja;level=1, vi', 'vi'],
  [',,;,de', 'de'],
  [' de ; Q=1.000 ', 'de'],
  ['*', 'en'],
]
for (const [acceptLanguage, locale] of browsers)
  test(`Accept-Language ${JSON.stringify(acceptLanguage)} is ${locale}`, () =>
    assert.equal(chooseLocale({ acceptLanguage }), locale))

test('a tenant’s own languages are found in Accept-Language too', () => {
  const available = availableLocales({ otp_signin: { sms: { 'zh-Hant': { text: '{{ code }}' } } }, reset_password: {} })
  assert.deepEqual(available, ['en', 'de', 'fr', 'es', 'vi', 'ja', 'zh-Hant'])
  assert.equal(chooseLocale({ acceptLanguage: 'zh-Hant-TW, en', available }), 'zh-Hant-TW')
  assert.equal(chooseLocale({ acceptLanguage: 'zh, en;q=0.1', available }), 'en')
})

test('a locale is looked up from the whole to its language', () => {
  assert.deepEqual(lookupOrder('zh-Hant-TW'), ['zh-Hant-TW', 'zh-Hant', 'zh'])
})

test('whatever comes, a canonical locale comes out', () => {
  const text = fc.oneof(anyText(), fc.stringMatching(/^[a-z]{1,3}(-[A-Za-z0-9]{1,9}){0,4}$/))
  const header = fc.oneof(
    text,
    fc.array(text).map((items) => items.join(', ')),
    fc.array(text).map((items) => items.join(';q=0.5,')),
  )
  fc.assert(
    fc.property(text, text, header, text, (requested, user, acceptLanguage, tenantDefault) => {
      const locale = chooseLocale({ requested, user, acceptLanguage, tenantDefault })
      assert.equal(canonicalLocale(locale), locale)
    }),
  )
})

test('a megabyte of header costs no more than a thousand characters of it', () => {
  assert.equal(chooseLocale({ acceptLanguage: `${'zu,'.repeat(400_000)}de`, tenantDefault: 'vi' }), 'vi')
})
