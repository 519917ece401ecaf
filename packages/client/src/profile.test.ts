import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldTypes } from '../../../contract/fields/field-types.ts'
import { compileProfileSchema } from '../../../server/profiles/schema/compile-profile-schema.ts'
import { defineProfileSchema } from '../../../server/profiles/schema/define/define-profile-schema.ts'
import { fieldKinds } from '../../../server/profiles/schema/kinds.ts'
import { defined, NOW } from '../../../server/profiles/schema/schema.testkit.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import type { ProfileSchema } from './generated/types.ts'
import { nativeMatcher } from './profile/native-pattern.ts'
import { countryCodes, validateProfile } from './profile.ts'

const day = fc.constantFrom('1999-12-31', '2012-02-29', '2025-11-21', '2007-11-21', '0001-01-01', '2023-02-29')
const instant = fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T00:00:00.5+02:00', '2025-01-01T00:00:60Z')
const hour = fc.constantFrom('09:30', '09:30:00', '23:59:59.999', '24:00')
const month = fc.constantFrom('2024-02', '2025-11', '0001-01', '2024-13')
const week = fc.constantFrom('2020-W53', '2021-W53', '2024-W01', '2025-W1')
const few = fc.nat({ max: 8 })
const bound = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, 1e3, -1.25))
const linear = fc.constantFrom('^[a-c]+$', '^\\p{L}{2,4}$', '[0-9]', '^[^@]+@[^@]+$', '^(?:a|b)?c', '^.{2}$')
const backtracking = fc.constantFrom('^(a+)+$', '(?i)^AB', '[a-c]+$', '\\bb\\b')
const domains = fc.subarray(['example.com', 'München.example', 'xn--mnchen-3ya.example', 'b.co'], { minLength: 1 })
const countries = fc.subarray(['FR', 'US', 'CA', 'GB'], { minLength: 1 })

const part = fc.constantFrom('given', 'family', 'nativeScript', 'line1', 'city', 'country')
const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 3 })
const codes: Readonly<Record<string, fc.Arbitrary<string>>> = {
  country: fc.constantFrom('FR', 'DE', 'XK', 'fr', 'UK'),
  language: fc.constantFrom('fr', 'pt-BR', 'zh-Hant', 'FR', 'x', 'iw'),
  currency: fc.constantFrom('EUR', 'USD', 'DEM', 'eur', 'EURO'),
  timezone: fc.constantFrom('Europe/Paris', 'Asia/Kolkata', 'UTC', 'europe/paris', '+02:00', 'Mars/Base'),
}

/** Values for each rule. */
const rules: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ minLength: few, maxLength: few, pattern: fc.oneof(linear, linear, backtracking) },
  ...{ minItems: few, maxItems: few, itemMinLength: few, itemMaxLength: few, unique: fc.boolean() },
  ...{ min: bound, max: bound, step: fc.constantFrom(1, 0.1, 0.01, 3, 2.5), mustBeTrue: fc.boolean() },
  ...{ minAge: fc.constantFrom(0, 13, 18), maxAge: fc.constantFrom(18, 26, 120), domains, countries },
  ...{ items: fc.constantFrom('text', 'email', 'phone', 'url', 'date'), parts, requiredParts: parts },
  ...{ version: fc.constantFrom('1', '2026-01') },
}
function valuesOf(rule: string): fc.Arbitrary<unknown> {
  const values = rules[rule]
  assert.ok(values !== undefined, `add values of the rule "${rule}" to this file`)
  return values
}
const moments: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: day,
  datetime: instant,
  time: hour,
  month,
  week,
}
const options = fc.uniqueArray(fc.constantFrom('free', 'pro', 'a', 'b', '😀'), { minLength: 1, maxLength: 4 })

const component = fc.constantFrom(...Object.keys(fieldKinds)).chain((type) => {
  const kind = fieldKinds[type as keyof typeof fieldKinds]
  const own = Object.keys(kind.rules).map((name) => {
    const isMoment = type in moments && (name === 'min' || name === 'max')
    const inCodes = name === 'in' && fc.uniqueArray(codes[type]!, { minLength: 1, maxLength: 3 })
    return [name, isMoment ? moments[type]! : inCodes || valuesOf(name)] as const
  })
  return fc.record(
    {
      type: fc.constant(type),
      rules: fc.record(Object.fromEntries(own), { requiredKeys: [] }),
      ...(kind.takesOptions && {
        options: options.map((values) => values.map((value) => ({ value }))),
      }),
      ...{ required: fc.boolean(), writable: fc.boolean(), writeOnce: fc.boolean() },
      ...(claims.has(type) && { claim: fc.constant(true), claimFromUser: fc.constant(true) }),
    },
    { requiredKeys: kind.takesOptions ? ['type', 'options'] : ['type'] },
  )
})

const claims: ReadonlySet<string> = new Set(['text', 'url', 'language', 'week', 'select'])

const names = ['one', 'two', 'three', 'four', 'toString']
/** Published schemas: components that contradict themselves are left out. */
const schema = fc.array(component, { minLength: 1, maxLength: names.length }).map((components): ProfileSchema => {
  const sound = components
    .map((part, index) => ({ name: names[index]!, ...part }))
    .filter((part) => 'schema' in defineProfileSchema({ components: [part] }))
  const fields = sound.map(({ name }) => name)
  const required = sound.filter(({ writable }) => writable !== false).map(({ name }) => name)
  return defined({ components: sound, forms: { signUp: { fields, required: required.slice(0, 2) } } })
})

const strings = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcAB1 😀é@.-'), maxLength: 9 }),
  fc.constantFrom(
    '',
    'abc',
    'free',
    'pro',
    '\0',
    '\ud800',
    'x'.repeat(2049),
    'ab@example.com',
    '+33612345678',
    '+1202',
  ),
  fc.constantFrom(
    'a@MÜNCHEN.example',
    'https://example.com/x',
    'http:b.co',
    'https://xn--mnchen-3ya.example',
    'é@b.co',
  ),
  ...[day, instant, hour, month, week, ...Object.values(codes)],
  fc.constantFrom('x'.repeat(256), 'é'.repeat(129), '😀'.repeat(65), `https://example.com/${'x'.repeat(240)}`),
)
const object = fc.oneof(
  fc.dictionary(fc.oneof(part, fc.constantFrom('__proto__', 'nick')), fc.oneof(strings, fc.constantFrom(1, null, {}))),
  fc.record(
    {
      accepted: fc.oneof(fc.boolean(), fc.constant(1)),
      version: fc.oneof(fc.constantFrom('1', '2026-01', ''), strings),
      at: fc.constant('2000-01-01T00:00:00.000Z'),
    },
    { requiredKeys: [] },
  ),
)
const value = fc.oneof(
  ...[strings, strings, bound, fc.double(), fc.boolean(), fc.constant(null), fc.array(strings, { maxLength: 9 })],
  fc.uniqueArray(fc.constantFrom('free', 'pro', 'a', 'b'), { maxLength: 4 }),
  ...[object, object, object],
  fc.constantFrom<unknown[]>({}, [1], [null], 0.3, 1e21),
)
const values = fc.dictionary(fc.constantFrom(...names, 'unknown'), value, { maxKeys: 5 })

/** Whether the server decides this field: a pattern that is not linear, a phone number, a currency or a time zone. */
function isLeftToServer(schema: ProfileSchema, name: string): boolean {
  const field = schema.components.find((one) => one.name === name)
  const rules: Readonly<Record<string, unknown>> = field?.rules ?? {}
  const pattern = rules['pattern']
  if (rules['items'] === 'phone' || ['phone', 'currency', 'timezone'].includes(String(field?.type))) return true
  return pattern !== undefined && nativeMatcher(pattern as string) === null
}

const all = 20_000

test('gives the messages of the server for every type and rule', () => {
  const runs = sampleSize(all)
  const seen = new Set<string>()
  fc.assert(
    fc.property(schema, values, fc.boolean(), (schema, values, isForm) => {
      const server = compileProfileSchema(schema)
      const judged = isForm
        ? server.validateForm('signUp', values, { now: NOW })
        : server.validate(values, { now: NOW, operator: false, current: null })
      const expected = 'validation' in judged ? judged.validation : {}
      const actual = validateProfile(schema, values, { now: NOW, ...(isForm && { form: 'signUp' }) })
      for (const [name, message] of Object.entries(expected)) {
        seen.add(message.replace(/\d+/, 'n'))
        if (message === 'Validation rule not met' && !Object.hasOwn(actual, name) && isLeftToServer(schema, name))
          actual[name] = message
      }
      assert.deepEqual(actual, expected, JSON.stringify([schema.components, values]))
    }),
    { numRuns: runs },
  )
  // A sample may miss some of them.
  if (runs < all) return
  for (const message of ['Required', 'Invalid string', 'Invalid date format', 'Expected integer, received float'])
    assert.ok(seen.has(message), message)
})

test('decides linear patterns and the form of phone numbers itself', () => {
  const schema = defined({
    components: [
      { name: 'code', type: 'text', rules: { pattern: '^[A-Z]{2}[0-9]{4}$' } },
      { name: 'slow', type: 'text', rules: { pattern: '^(a+)+$' } },
      { name: 'phone', type: 'phone', rules: { countries: ['FR'] } },
    ],
  })
  const refused = 'Validation rule not met'
  assert.deepEqual(validateProfile(schema, { code: 'AB12', slow: 'b', phone: '0612' }), {
    code: refused,
    phone: refused,
  })
  assert.deepEqual(validateProfile(schema, { code: 'AB1234', slow: 'b', phone: '+1999' }), {})
  assert.deepEqual(validateProfile(schema, { slow: '' }), { slow: 'String must contain at least 1 character(s)' })
})

test('leaves fields of types that it does not know to the server', () => {
  const schema = { ...defined({ components: [{ name: 'age', type: 'integer' }] }), forms: {} }
  const components = [...schema.components, { name: 'mood', type: 'mood', rules: { max: 3 } } as never]
  const newer: ProfileSchema = { ...schema, components, forms: { signUp: { fields: ['mood'], required: ['mood'] } } }
  assert.deepEqual(validateProfile(newer, { mood: 7, age: 1.5 }), { age: 'Expected integer, received float' })
  assert.deepEqual(validateProfile(newer, {}, { form: 'signUp' }), { mood: 'Required' })
})

test('computes ages by the current time unless told another', () => {
  const schema = defined({ components: [{ name: 'born', type: 'date', rules: { minAge: 18 } }] })
  const born = `${new Date().getUTCFullYear() - 17}-01-01`
  assert.deepEqual(validateProfile(schema, { born }), { born: 'Validation rule not met' })
  assert.deepEqual(validateProfile(schema, { born }, { now: Date.now() + 5 * 365 * 86_400_000 }), {})
})

test('knows the values of every type that can be published', () => {
  assert.deepEqual(Object.keys(fieldTypes), Object.keys(fieldKinds))
})

test('lists the country codes that are valid', () => {
  const schema = defined({ components: [{ name: 'country', type: 'country' }] })
  const codes = countryCodes()
  assert.equal(codes.length, 249)
  for (const country of codes) assert.deepEqual(validateProfile(schema, { country }), {})
})

test('judges texts without isWellFormed, which React Native lacks', (t) => {
  const before = Object.getOwnPropertyDescriptor(String.prototype, 'isWellFormed')!
  t.after(() => Object.defineProperty(String.prototype, 'isWellFormed', before))
  Reflect.deleteProperty(String.prototype, 'isWellFormed')
  const schema = defined({ components: [{ name: 'nickname', type: 'text', rules: { minLength: 2 } }] })
  assert.deepEqual(validateProfile(schema, { nickname: 'x' }), {
    nickname: 'String must contain at least 2 character(s)',
  })
})
