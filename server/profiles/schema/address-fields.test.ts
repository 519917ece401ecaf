import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileComponent } from '../../../contract/profile-schema.ts'
import { assertAll, client, compiled, REFUSED } from './schema.testkit.ts'

test('accepts an e-mail address with a dot-atom and a domain of at least two labels', () => {
  assertAll({ type: 'email' }, null, [
    'ada@example.com',
    "o'hara+tag@sub.example.co.uk",
    'ADA@EXAMPLE.COM',
    'ada@münchen.example',
    'ada@xn--mnchen-3ya.example',
    'ada@例え.テスト',
    `${'a'.repeat(64)}@example.com`,
    'a@b.fr',
    `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`,
  ])
  assertAll({ type: 'email' }, REFUSED, [
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a da@example.com',
    ' ada@example.com',
    'ada@example.com\n',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    '"ada"@example.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@exa_mple.com',
    'ada@example.com/x',
    'ada@exa%6Dple.com',
    'ada@xn--.com',
    'é@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abc.'.repeat(62)}com`,
    `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}info`,
    // 236 characters, 257 with the domain in ASCII.
    `${'a'.repeat(64)}@${`é${'b'.repeat(54)}.`.repeat(3)}com`,
  ])
})

test('accepts the listed domains case-insensitively, without subdomains', () => {
  const component = { type: 'email', rules: { domains: ['Example.com', 'münchen.example'] } } satisfies Omit<
    ProfileComponent,
    'name'
  >
  assertAll(component, null, ['ada@example.com', 'ada@EXAMPLE.COM', 'ada@xn--mnchen-3ya.example'])
  assertAll(component, REFUSED, ['ada@sub.example.com', 'ada@notexample.com', 'ada@example.com.evil.io'])
})

test('accepts exactly E.164 as a phone number', () => {
  assertAll({ type: 'phone' }, null, ['+33612345678', '+12025550123', '+447700900123', '+8613812345678'])
  assertAll({ type: 'phone' }, REFUSED, [
    '0612345678',
    '33612345678',
    '+33 6 12 34 56 78',
    '+33-612345678',
    '+330612345678901234',
    '+3361234567899',
    '+0612345678',
    '+99912345678',
    '+33',
    '+',
    'tel:+33612345678',
    '+33612345678;ext=1',
    '+٣٣٦١٢٣٤٥٦٧٨',
  ])
})

test('accepts phone numbers of the listed countries', () => {
  assertAll({ type: 'phone', rules: { countries: ['FR', 'GB'] } }, null, ['+33612345678', '+447700900123'])
  assertAll({ type: 'phone', rules: { countries: ['FR', 'GB'] } }, REFUSED, ['+12025550123', '+4915112345678'])
})

test('tells a number of another country from an invalid one', () => {
  const judged = (sent: string, rules: object) => {
    const judgement = compiled([{ name: 'phone', type: 'phone', rules }]).validate({ phone: sent }, client())
    return 'details' in judgement && judgement.details['phone']
  }
  const format = { rule: 'format', format: 'phone' }
  assert.deepEqual(judged('+12025550123', { countries: ['FR'] }), { rule: 'countries', countries: ['FR'] })
  for (const sent of ['+3361234567899', '+1202555012', '0612345678', '+33 612345678', '+1 2025550123']) {
    assert.deepEqual(judged(sent, { countries: ['FR'] }), format, sent)
    assert.deepEqual(judged(sent, {}), format, sent)
  }
})

test('accepts http and https URLs without credentials that need no repair (threat E07)', () => {
  assertAll({ type: 'url' }, null, [
    'https://example.com',
    'HTTP://EXAMPLE.com:8080/a?b=c#d',
    'https://münchen.example/ä',
    'http://169.254.169.254/',
    'https://[::1]/',
    'https://example.com/@ada?mail=a@b.c',
  ])
  assertAll({ type: 'url' }, REFUSED, [
    'example.com',
    '//example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com/',
    'http:example.com',
    'http:/example.com',
    'http://',
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    'https://@example.com/',
    ' https://example.com',
    'https://example.com/\n',
    'https://exa\tmple.com',
    'https:\\\\example.com',
    'https://example.com\\@evil.io',
    'https://exa mple.com',
    'https://example.com:99999/',
    `https://example.com/${'a'.repeat(2048)}`,
  ])
})

test('accepts URLs with exactly the listed hosts', () => {
  const component = { type: 'url', rules: { domains: ['example.com'] } } satisfies Omit<ProfileComponent, 'name'>
  assertAll(component, null, ['https://EXAMPLE.com/x', 'http://example.com:8080'])
  assertAll(component, REFUSED, [
    'https://www.example.com',
    'https://example.com.evil.io',
    'https://evil.io/example.com',
  ])
})
