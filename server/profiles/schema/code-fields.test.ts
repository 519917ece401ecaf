import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingFields } from './compare-profile-schemas.ts'
import { assertAll, client, compiled, defined, judgeOf, NOW, problemsOf, REFUSED } from './schema.testkit.ts'
import { TIME_ZONE_ALIASES } from './time-zone-aliases.ts'

const types = ['country', 'language', 'currency', 'timezone'] as const
const samples = { country: 'FR', language: 'pt-BR', currency: 'EUR', timezone: 'Europe/Paris' }
const hostile = [
  '__proto__',
  'constructor',
  'toString',
  ' ',
  '*',
  'x'.repeat(65_536),
  'a-'.repeat(30_000),
  '😀',
  '\u202e',
]

test('accepts countries of ISO 3166-1 in upper case', () => {
  assertAll({ type: 'country' }, null, ['FR', 'TW', 'AQ'])
  assertAll({ type: 'country' }, REFUSED, ['fr', 'Fr', 'FRA', 'UK', 'EU', 'XK', 'ZZ', 'FR ', '250', ...hostile])
})

const longTag = (length: number) => `de-x${'-abcdefgh'.repeat(10)}-abcdefgh`.slice(0, length)

test('accepts languages in canonical form', () => {
  assertAll({ type: 'language' }, null, ['fr', 'pt-BR', 'zh-Hant-TW', 'de-u-co-phonebk', 'gsw', longTag(100)])
  const wrong = [
    'FR',
    'pt-br',
    'pt_BR',
    'iw',
    'frenchlanguage',
    'e',
    'en-',
    '-en',
    'en--US',
    'en-US-',
    'cmn',
    longTag(101),
    ...hostile,
  ]
  assertAll({ type: 'language' }, REFUSED, wrong)
})

test('accepts currencies in use, in upper case', () => {
  assertAll({ type: 'currency' }, null, ['EUR', 'JPY', 'CHF'])
  assertAll({ type: 'currency' }, REFUSED, ['eur', 'Eur', 'DEM', 'EURO', 'XXY', 'EU', '€', ...hostile])
})

test('accepts a withdrawn currency only unchanged, where it is stored', () => {
  const schema = compiled([{ name: 'pays', type: 'currency', required: true }])
  const judged = (pays: string | null, stored: string) =>
    'values' in schema.validate({ pays }, client({ pays: stored }))
  assert.equal(judged('DEM', 'DEM'), true)
  assert.equal(judged('EUR', 'DEM'), true)
  assert.equal(judged('FRF', 'DEM'), false)
  assert.equal(judged('DEM', 'EUR'), false)
  assert.equal(judged(null, 'DEM'), false)
  assert.deepEqual(schema.present({ pays: 'DEM' }), { pays: 'DEM' })
  assert.deepEqual(failingFields(schema, { pays: 'DEM' }, NOW), [])
})

test('accepts names of time zones and their aliases in their letter case, and no offsets', () => {
  const names = ['Europe/Paris', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific', 'UTC']
  assertAll({ type: 'timezone' }, null, [
    ...names,
    'GB',
    'Etc/GMT+5',
    'America/Port-au-Prince',
    'EST5EDT',
    'Europe/Kyiv',
  ])
  const cases = ['europe/paris', 'EUROPE/PARIS', 'Asia/kolkata', 'us/pacific', 'Us/Pacific', 'utc', 'Utc', 'gb', 'Gb']
  const offsets = ['+02:00', '-0500', '+02', 'GMT+2', 'UTC+1', 'GMT+02:00', 'Z', 'z']
  assertAll({ type: 'timezone' }, REFUSED, [
    ...cases,
    ...offsets,
    'Mars/Base',
    'Europe',
    'Europe/',
    'Paris',
    ...hostile,
  ])
})

test('lists aliases that ICU takes and does not list itself', () => {
  const aliases = TIME_ZONE_ALIASES.trim().split(/\s+/)
  assert.equal(new Set(aliases.map((alias) => alias.toLowerCase())).size, aliases.length)
  const listed = new Set(Intl.supportedValuesOf('timeZone'))
  for (const timeZone of aliases) {
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone)
    assert.ok(!listed.has(timeZone), timeZone)
    assert.equal(judgeOf({ type: 'timezone' })(timeZone), null, timeZone)
  }
})

test('refuses a stored currency that its type or the rule in does not accept', () => {
  const details = (rules: object, pays: string) => {
    const schema = compiled([{ name: 'pays', type: 'currency', rules }])
    const judged = schema.validate({ pays }, client({ pays }))
    return 'details' in judged ? judged.details['pays'] : null
  }
  assert.deepEqual(details({}, 'hello'), { rule: 'format', format: 'currency' })
  assert.deepEqual(details({ in: ['EUR'] }, 'USD'), { rule: 'in', in: ['EUR'] })
  assert.equal(details({}, 'DEM'), null)
})

test('gives empty texts, wrong types and unsound texts their messages', () => {
  for (const type of types) {
    assertAll({ type }, 'String must contain at least 1 character(s)', [''])
    assertAll({ type }, 'Expected string, received array', [[samples[type]], []])
    assertAll({ type }, 'Expected string, received object', [{ code: samples[type] }, {}])
    assertAll({ type }, 'Expected string, received number', [250])
    assertAll({ type }, 'Invalid string', [`${samples[type]}\0`, '\ud800'])
  }
})

test('accepts only the codes of the rule in', () => {
  assertAll({ type: 'country', rules: { in: ['FR', 'DE'] } }, null, ['DE'])
  assertAll({ type: 'country', rules: { in: ['FR', 'DE'] } }, REFUSED, ['IT', 'XX', 'fr'])
  assertAll({ type: 'timezone', rules: { in: ['Asia/Kolkata'] } }, REFUSED, ['Asia/Calcutta'])
  const schema = compiled([{ name: 'a', type: 'language', rules: { in: ['fr', 'de'] } }])
  const detail = (a: string) => {
    const judged = schema.validate({ a }, client())
    return 'details' in judged ? judged.details['a'] : null
  }
  assert.deepEqual(detail('it'), { rule: 'in', in: ['fr', 'de'] })
  assert.deepEqual(detail('IT'), { rule: 'format', format: 'language' })
})

test('requires in to list 1 to 500 codes of the type, each once', () => {
  for (const type of types) {
    const good = samples[type]
    for (const codes of [[], [good, good], [good.toLowerCase()], [''], [1], good, null, Array(501).fill(good)]) {
      assert.deepEqual(
        Object.keys(problemsOf({ components: [{ name: 'a', type, rules: { in: codes } }] })),
        ['components.a.rules.in'],
        JSON.stringify([type, codes]),
      )
    }
    defined({ components: [{ name: 'a', type, rules: { in: [good] } }] })
  }
  for (const offset of ['+02:00', '-0500', '+02']) {
    const problems = problemsOf({ components: [{ name: 'a', type: 'timezone', rules: { in: ['UTC', offset] } }] })
    assert.match(problems['components.a.rules.in']!, /without offsets; correct item 1$/, offset)
  }
  defined({ components: [{ name: 'a', type: 'timezone', rules: { in: Intl.supportedValuesOf('timeZone') } }] })
})
