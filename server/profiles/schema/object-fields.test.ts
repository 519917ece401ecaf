import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import { compiled, defined, NOW, problemsOf, REFUSED } from './schema.testkit.ts'

const at = (time: number) => new Date(time).toISOString()

/** Judges one field of this type: the value to store, or its message and detail. */
function judgeWith(type: string, rules: object = {}, more: object = {}) {
  const schema = compiled([{ name: 'a', type, rules, ...more }])
  return (a: unknown, current: ProfileValues | null = null, now = NOW): unknown => {
    const judged = schema.validate({ a }, { now, operator: false, current })
    if ('values' in judged) return judged.values['a']
    return [judged.validation['a'], judged.details['a']]
  }
}
const hostile = (text: string) => JSON.parse(text) as unknown

test('stores the known parts of a name in one order, without empty ones', () => {
  const judge = judgeWith('name')
  const name = { family: 'Lovelace', given: 'Ada', middle: '', nativeScript: '', nick: 'A', 1: 2 }
  assert.equal(JSON.stringify(judge(name)), '{"given":"Ada","family":"Lovelace"}')
  assert.deepEqual(judge({ given: ' ' }), { given: ' ' })
  for (const empty of [{}, { given: '' }, { nick: 'A' }, hostile('{"__proto__": {"given": "x"}}')]) {
    assert.equal(judge(empty), null, JSON.stringify(empty))
  }
})

test('drops parts that the component does not have, whatever their value', () => {
  const judge = judgeWith('name', { parts: ['given', 'family'] })
  assert.deepEqual(judge({ given: 'Ada', middle: 7, suffix: '\0', prefix: 'x'.repeat(9999), age: {} }), {
    given: 'Ada',
  })
  assert.deepEqual(judge({ middle: 'K' }), null)
})

test('reports the type of a part under the field’s name', () => {
  const type = { rule: 'type', expected: 'string' }
  for (const [part, received] of [
    [1, 'number'],
    [null, 'null'],
    [['x'], 'array'],
    [{}, 'object'],
    [true, 'boolean'],
  ]) {
    assert.deepEqual(judgeWith('name')({ given: part }), [`Expected string, received ${received}`, type])
    assert.deepEqual(judgeWith('address')({ country: part }), [`Expected string, received ${received}`, type])
  }
})

test('requires an object', () => {
  for (const type of ['name', 'address', 'consent']) {
    const judge = judgeWith(type)
    for (const [value, received] of [
      ['Ada', 'string'],
      [['Ada'], 'array'],
      [[], 'array'],
      [7, 'number'],
      [true, 'boolean'],
    ])
      assert.deepEqual(judge(value), [`Expected object, received ${received}`, { rule: 'type', expected: 'object' }])
    assert.equal(judge(null), null)
  }
})

test('requires the required parts to be present and not empty', () => {
  const judge = judgeWith('name', { requiredParts: ['family', 'given'] })
  const missing = (...parts: string[]) => [REFUSED, { rule: 'requiredParts', parts }]
  assert.deepEqual(judge({}), missing('family', 'given'))
  assert.deepEqual(judge({ given: 'Ada' }), missing('family'))
  assert.deepEqual(judge({ given: 'Ada', family: '' }), missing('family'))
  assert.deepEqual(judge(hostile('{"__proto__": {"given": "x", "family": "y"}}')), missing('family', 'given'))
  assert.deepEqual(judge({ given: 'Ada', family: 'L' }), { given: 'Ada', family: 'L' })
})

test('limits the length of each part in code points', () => {
  const tooLong = (part: string, maxLength: number) => [REFUSED, { rule: 'maxLength', maxLength, part }]
  assert.deepEqual(judgeWith('name')({ given: '😀'.repeat(100) }), { given: '😀'.repeat(100) })
  assert.deepEqual(judgeWith('name')({ given: 'x', family: 'x'.repeat(101) }), tooLong('family', 100))
  assert.deepEqual(judgeWith('name', { maxLength: 2 })({ prefix: 'Dr.' }), tooLong('prefix', 2))
  assert.deepEqual(judgeWith('address')({ line1: 'x'.repeat(60_000) }), tooLong('line1', 200))
})

test('refuses NUL and lone surrogates in parts', () => {
  const refused = ['Invalid string', { rule: 'characters' }]
  assert.deepEqual(judgeWith('name')({ given: 'A\0' }), refused)
  assert.deepEqual(judgeWith('address')({ city: '\ud800' }), refused)
  assert.deepEqual(judgeWith('consent')({ accepted: true, version: '1\0' }), refused)
})

test('refuses an object without parts for a required field', () => {
  const judge = judgeWith('address', {}, { required: true })
  for (const empty of [{}, { city: '' }, { planet: 'Mars' }, null]) {
    assert.deepEqual(judge(empty), [REFUSED, { rule: 'required' }], JSON.stringify(empty))
  }
})

test('requires the country of an address to be a code that the rules allow', () => {
  const judge = judgeWith('address', { countries: ['FR', 'DE'] })
  assert.deepEqual(judge({ country: 'DE', city: 'Ulm' }), { city: 'Ulm', country: 'DE' })
  assert.deepEqual(judge({ country: '', city: 'Ulm' }), { city: 'Ulm' })
  assert.deepEqual(judge({ country: 'IT' }), [REFUSED, { rule: 'countries', countries: ['FR', 'DE'] }])
  assert.deepEqual(judge({ country: 'fr' }), [REFUSED, { rule: 'format', format: 'country' }])
  assert.deepEqual(judgeWith('address')({ country: 'UK' }), [REFUSED, { rule: 'format', format: 'country' }])
  assert.deepEqual(judgeWith('address', { parts: ['city'] })({ city: 'Ulm', country: 'UK' }), { city: 'Ulm' })
})

test('stamps a consent with the server’s clock when it changes, and ignores a time that is sent', () => {
  const judge = judgeWith('consent')
  const first = { accepted: true, version: '1', at: at(NOW) }
  assert.deepEqual(judge({ accepted: true, version: '1', at: '2000-01-01T00:00:00.000Z', by: 'x' }), first)
  assert.deepEqual(judge({ version: '1', accepted: true }, { a: first }, NOW + 5), first)
  assert.deepEqual(judge({ ...first, at: at(0) }, { a: first }, NOW + 5), first)
  assert.deepEqual(judge({ accepted: false, version: '1' }, { a: first }, NOW + 5), {
    ...{ accepted: false, version: '1', at: at(NOW + 5) },
  })
  assert.deepEqual(judge({ accepted: true, version: '2' }, { a: first }, NOW + 5), {
    ...{ accepted: true, version: '2', at: at(NOW + 5) },
  })
  assert.deepEqual(judge({ accepted: true, version: '1' }, { a: 'yes' }, NOW + 5), { ...first, at: at(NOW + 5) })
})

test('refuses a consent to another version, and one that is not given', () => {
  const judge = judgeWith('consent', { version: '2', mustBeTrue: true })
  assert.deepEqual(judge({ accepted: true, version: '1' }), [REFUSED, { rule: 'version', version: '2' }])
  assert.deepEqual(judge({ accepted: false, version: '2' }), [REFUSED, { rule: 'mustBeTrue' }])
  assert.deepEqual(judge({ accepted: true, version: '2' }), { accepted: true, version: '2', at: at(NOW) })
  assert.deepEqual(judge({ accepted: true }), [REFUSED, { rule: 'requiredParts', parts: ['version'] }])
  assert.deepEqual(judge({}), [REFUSED, { rule: 'requiredParts', parts: ['accepted', 'version'] }])
  assert.deepEqual(judge({ version: '' }), [REFUSED, { rule: 'requiredParts', parts: ['accepted', 'version'] }])
  assert.deepEqual(judge({ accepted: 'yes', version: '2' }), [
    ...['Expected boolean, received string', { rule: 'type', expected: 'boolean' }],
  ])
  assert.deepEqual(judge({ accepted: true, version: 2 }), [
    ...['Expected string, received number', { rule: 'type', expected: 'string' }],
  ])
  const longest = { accepted: true, version: '😀'.repeat(64) }
  assert.deepEqual(judgeWith('consent')(longest), { ...longest, at: at(NOW) })
  assert.deepEqual(judgeWith('consent')({ accepted: true, version: 'x'.repeat(65) }), [
    ...[REFUSED, { rule: 'maxLength', maxLength: 64, part: 'version' }],
  ])
})

test('shows only objects with the members of the type', () => {
  const schema = compiled(['name', 'address', 'consent'].map((type) => ({ name: `${type}1`, type })))
  const name1 = { given: 'Ada', suffix: 'II' }
  const consent1 = { accepted: false, version: '1', at: at(NOW) }
  assert.deepEqual(schema.present({ name1, address1: { city: 'Ulm' }, consent1 }), {
    ...{ name1, address1: { city: 'Ulm' }, consent1 },
  })
  const nothing = { name1: null, address1: null, consent1: null }
  assert.deepEqual(schema.present({ name1: 'Ada', address1: name1, consent1: { accepted: true } }), nothing)
  assert.deepEqual(schema.present({ name1: { given: 1 }, address1: [], consent1: { ...consent1, at: 7 } }), nothing)
  for (const more of [{ accepted: 'yes' }, { version: 1 }]) {
    assert.deepEqual(schema.present({ consent1: { ...consent1, ...more } }), nothing)
  }
})

test('accepts the same object for a write-once field, as it would be stored', () => {
  const name = judgeWith('name', {}, { writeOnce: true })
  const a = { given: 'Ada' }
  assert.deepEqual(name({ middle: '', given: 'Ada' }, { a }), a)
  assert.deepEqual(name({ given: 'Eve' }, { a }), [REFUSED, { rule: 'writeOnce' }])
  assert.deepEqual(name({}, { a }), [REFUSED, { rule: 'writeOnce' }])
  const consent = judgeWith('consent', {}, { writeOnce: true })
  const given = { accepted: true, version: '1', at: at(0) }
  assert.deepEqual(consent({ accepted: true, version: '1' }, { a: given }), given)
  assert.deepEqual(consent({ accepted: false, version: '1' }, { a: given }), [REFUSED, { rule: 'writeOnce' }])
})

test('neither reads nor pollutes prototypes, and drops deep and huge parts', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 10_000; level++) deep = { given: deep }
  assert.deepEqual(judgeWith('name')(deep), [
    ...['Expected string, received object', { rule: 'type', expected: 'string' }],
  ])
  assert.equal(judgeWith('name')({ other: deep }), null)
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`part${index}`, 'x']))
  assert.deepEqual(judgeWith('name')({ ...many, given: 'Ada' }), { given: 'Ada' })
  assert.equal(judgeWith('name')(Object.create({ given: 'x' })), null)
  assert.deepEqual(judgeWith('consent')(Object.create({ accepted: true, version: '1' })), [
    ...[REFUSED, { rule: 'requiredParts', parts: ['accepted', 'version'] }],
  ])
  const polluting = hostile(
    '{"__proto__": {"polluted": "x"}, "constructor": {"prototype": {"polluted": 1}}, "given": "Ada"}',
  )
  assert.deepEqual(judgeWith('name')(polluting), { given: 'Ada' })
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('refuses defaults that would not be shown, and consents that no user gave', () => {
  const components = ['name', 'consent'].map((type) => ({ name: `${type}1`, type }))
  const refused = (field: string, value: object) =>
    Object.keys(problemsOf({ components, migrations: [{ default: { field, value } }] }))
  assert.deepEqual(refused('name1', { given: 'Ada', nick: 'A' }), ['migrations.0.default.value'])
  assert.deepEqual(refused('name1', { given: '' }), ['migrations.0.default.value'])
  assert.deepEqual(refused('consent1', { accepted: true, version: '1', at: at(0) }), ['migrations.0.default.field'])
  defined({ components, migrations: [{ default: { field: 'name1', value: { family: 'L', given: 'Ada' } } }] })
})

test('refuses rules that contradict each other or name unknown parts', () => {
  const refused = (type: string, rules: object) => Object.keys(problemsOf({ components: [{ name: 'a', type, rules }] }))
  assert.deepEqual(refused('name', { parts: ['given', 'nick'] }), ['components.a.rules.parts'])
  assert.deepEqual(refused('name', { parts: [] }), ['components.a.rules.parts'])
  assert.deepEqual(refused('name', { parts: ['given', 'given'] }), ['components.a.rules.parts'])
  assert.deepEqual(refused('name', { requiredParts: 'given' }), ['components.a.rules.requiredParts'])
  assert.deepEqual(refused('name', { parts: ['given'], requiredParts: ['family'] }), [
    'components.a.rules.requiredParts',
  ])
  assert.deepEqual(refused('name', { maxLength: 0 }), ['components.a.rules.maxLength'])
  assert.deepEqual(refused('name', { countries: ['FR'] }), ['components.a.rules.countries'])
  assert.deepEqual(refused('address', { countries: ['UK'] }), ['components.a.rules.countries'])
  assert.deepEqual(refused('address', { parts: ['city'], countries: ['FR'] }), ['components.a.rules.countries'])
  assert.deepEqual(refused('address', { maxLength: 5 }), ['components.a.rules.maxLength'])
  for (const version of ['', 1, null, 'x'.repeat(65), 'a\0']) {
    assert.deepEqual(refused('consent', { version }), ['components.a.rules.version'])
  }
  const lengths = { items: 'email', pattern: '^a$', itemMaxLength: 5 }
  assert.deepEqual(refused('list', lengths), ['components.a.rules.itemMaxLength', 'components.a.rules.pattern'])
  assert.deepEqual(refused('list', { items: 'phone', maxItems: 101 }), ['components.a.rules.maxItems'])
  assert.deepEqual(refused('list', { items: 'number' }), ['components.a.rules.items'])
  assert.deepEqual(refused('list', { items: 'toString' }), ['components.a.rules.items'])
})
