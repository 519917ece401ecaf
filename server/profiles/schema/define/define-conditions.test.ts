import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

const fields = [
  { name: 'country', type: 'select', options: [{ value: 'FR' }, { value: 'DE' }] },
  { name: 'tags', type: 'multiselect', options: [{ value: 'x' }, { value: 'y' }] },
  { name: 'words', type: 'list' },
  { name: 'size', type: 'number' },
  { name: 'count', type: 'integer' },
  { name: 'born', type: 'date' },
  { name: 'agreed', type: 'boolean' },
  { name: 'nick', type: 'text' },
  { name: 'phone', type: 'phone' },
  { name: 'note', type: 'text', readable: false, writable: false },
  { name: 'person', type: 'name' },
  { name: 'home', type: 'address' },
  { name: 'terms', type: 'consent' },
  { name: 'pays', type: 'currency' },
  { name: 'since', type: 'month' },
  { name: 'mails', type: 'list', rules: { items: 'email' } },
  { name: 'secret', type: 'text', sensitive: true },
]
const schema = (visibleWhen: unknown, more: object = {}) => ({
  components: [...fields, { name: 'vat', type: 'text', visibleWhen, ...more }],
})
const accepts = (condition: unknown, more?: object) => defined(schema(condition, more))
/** The only problem: its path below the condition, and the message. */
function refusal(condition: unknown, more?: object): [path: string, message: string] {
  const [[path, message] = ['', ''], ...others] = Object.entries(problemsOf(schema(condition, more)))
  assert.deepEqual(others, [])
  assert.ok(path.startsWith('components.vat.visibleWhen'), path)
  return [path.slice('components.vat.visibleWhen'.length), message]
}
function refuses(condition: unknown, path: string, message: RegExp, more?: object): void {
  const [at, problem] = refusal(condition, more)
  assert.equal(at, path)
  assert.match(problem, message)
}

test('accepts every operator for the types that have it', () => {
  for (const condition of [
    { field: 'country', is: 'FR' },
    { field: 'country', in: ['FR', 'DE'] },
    { field: 'country', isNot: 'FR' },
    { field: 'country', notIn: ['DE'] },
    { field: 'tags', is: 'x' },
    { field: 'words', is: 'anything' },
    { field: 'words', set: true },
    { field: 'size', min: -0.5, max: 0.5 },
    { field: 'count', max: 3 },
    { field: 'born', min: '2000-01-01' },
    { field: 'agreed', is: false },
    { field: 'nick', in: ['jane', 'joe'] },
    { field: 'phone', is: '+33612345678' },
    { all: [{ any: [{ not: { field: 'nick', set: false } }] }] },
  ]) {
    const { components } = accepts(condition)
    assert.deepEqual(components.at(-1)!.visibleWhen, condition)
  }
})

test('refuses fields that do not exist, and the field itself', () => {
  refuses({ field: 'nope', is: 'FR' }, '.field', /^names no component of this schema; /)
  refuses({ field: 7, is: 'FR' }, '.field', /^names no component of this schema; /)
  refuses({ is: 'FR' }, '.field', /^names no component of this schema; /)
  refuses({ field: 'toString', is: 'FR' }, '.field', /^names no component of this schema; /)
  refuses({ field: 'vat', set: true }, '.field', /cannot read its own field; /)
  refuses(
    { all: [{ field: 'nick', set: true }, { not: { field: 'nope', set: true } }] },
    '.all.1.not.field',
    /names no/,
  )
})

test('reads whether a consent was accepted, and no parts of other objects', () => {
  accepts({ field: 'terms', is: true })
  refuses({ field: 'terms', is: '2026-01' }, '.is', /compare with true or false/)
  refuses({ field: 'person', set: true }, '.field', /is of type name, and conditions read no parts; /)
  refuses({ not: { field: 'home', is: 'FR' } }, '.not.field', /is of type address, /)
})

test('compares codes, months and items with valid ones', () => {
  for (const condition of [
    { field: 'pays', in: ['EUR', 'DEM'] },
    { field: 'since', min: '2024-02' },
  ])
    accepts(condition)
  accepts({ field: 'mails', is: 'ada@example.com' })
  refuses({ field: 'pays', is: 'eur' }, '.is', /cannot have this value/)
  refuses({ field: 'since', is: '2024-13' }, '.is', /cannot have this value/)
  refuses({ field: 'mails', is: 'ada' }, '.is', /cannot contain this value/)
})

test('requires exactly one operator, except for min and max', () => {
  refuses({ field: 'country', is: 'FR', isNot: 'DE' }, '', /^takes exactly one of is, in, isNot, .* remove the others$/)
  refuses({ field: 'size', min: 1, set: true }, '', /^takes exactly one of .* remove the others$/)
  refuses({ field: 'country' }, '', /^takes exactly one of .* add the one to compare with$/)
  refuses({ field: 'country', equals: 'FR', set: true }, '.equals', /^unknown property; allowed properties: field, is/)
})

test('requires one form of condition', () => {
  for (const condition of [5, 'country', null, [], true]) refuses(condition, '', /^must be an object such as /)
  const leaf = { field: 'country', is: 'FR' }
  refuses({ all: [leaf], any: [leaf] }, '', /^takes exactly one of all, any, not or a comparison; /)
  refuses({ not: leaf, field: 'country' }, '', /^takes exactly one of all, any, not or a comparison; /)
  for (const list of [[], leaf, null, Array(21).fill(leaf)])
    refuses({ any: list }, '.any', /array of 1 to 20 conditions/)
  refuses({ not: [leaf] }, '.not', /^must be an object such as /)
  assert.deepEqual(Object.keys(problemsOf(schema({}))), [
    'components.vat.visibleWhen.field',
    'components.vat.visibleWhen',
  ])
})

test('requires values that the field can have', () => {
  refuses({ field: 'country', is: 'GB' }, '.is', /not the value of an option of "country"; use one of its options/)
  refuses({ field: 'country', in: ['FR', 'GB'] }, '.in.1', /not the value of an option/)
  refuses({ field: 'tags', isNot: 'z' }, '.isNot', /not the value of an option of "tags"/)
  refuses({ field: 'words', is: 3 }, '.is', /"words" cannot contain this value; /)
  refuses({ field: 'size', is: '3' }, '.is', /"size" cannot have this value; compare with a valid value of type number/)
  refuses({ field: 'count', is: 1.5 }, '.is', /valid value of type integer/)
  refuses({ field: 'agreed', is: 'true' }, '.is', /valid value of type boolean/)
  refuses({ field: 'nick', is: true }, '.is', /valid value of type text/)
  refuses({ field: 'born', min: '2000-02-30' }, '.min', /valid value of type date/)
  refuses({ field: 'phone', is: '0612' }, '.is', /valid value of type phone/)
  refuses({ field: 'nick', is: null }, '.is', /use "set": false/)
  refuses({ field: 'nick', in: [{}] }, '.in.0', /^must be a string, a number or a boolean$/)
  refuses({ field: 'nick', set: 'yes' }, '.set', /^must be true /)
  for (const list of [[], 'FR', Array.from({ length: 251 }, (_, n) => `${n}`)]) {
    refuses({ field: 'nick', in: list }, '.in', /^must be an array of 1 to 250 values$/)
  }
  refuses({ field: 'nick', notIn: ['a', 'a'] }, '.notIn.1', /^duplicate value; /)
})

test('orders numbers, integers, dates, months and weeks only', () => {
  refuses({ field: 'nick', min: 'a' }, '.min', /^text fields have no order; use one of is, in, isNot, notIn, set$/)
  refuses({ field: 'tags', max: 'x' }, '.max', /^multiselect fields have no order; /)
  refuses({ field: 'agreed', min: false }, '.min', /^boolean fields have no order; /)
  refuses({ field: 'size', min: '1' }, '.min', /valid value of type number/)
  refuses({ field: 'size', min: 2, max: 1 }, '.min', /^is above max, so the condition would never hold; /)
  refuses({ field: 'born', min: '2001-01-01', max: '2000-01-01' }, '.min', /^is above max/)
})

test('lets only sensitive fields depend on sensitive ones, and only notes of the operator on such notes', () => {
  const secret = { field: 'secret', set: true }
  refuses(secret, '.field', /"secret" is sensitive and this is not; add "sensitive": true here/)
  accepts(secret, { sensitive: true })
  const note = { field: 'note', set: true }
  refuses(note, '.field', /"note" is the operator's note and this is public; /)
  refuses(note, '.field', /operator's note/, { readable: false })
  accepts(note, { readable: false, writable: false })
})

test('limits the depth, and the comparisons of a condition and of a schema', () => {
  const leaf = { field: 'country', is: 'FR' }
  accepts({ not: { not: { not: leaf } } })
  refuses({ not: { not: { not: { not: leaf } } } }, '.not.not.not.not', /^more than 4 levels of conditions; /)
  const lists = { all: [leaf, { any: [{ all: [{ any: [leaf] }] }] }] }
  refuses(lists, '.all.1.any.0.all.0.any.0', /^more than 4 levels of conditions; /)
  accepts({ all: Array(20).fill(leaf) })
  refuses(
    { all: [...Array(10).fill(leaf), { any: Array(11).fill(leaf) }] },
    '.all.10.any.10',
    /^more than 20 comparisons in/,
  )
  const dependent = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      name: `f${n}`,
      type: 'text',
      requiredWhen: { any: Array(20).fill(leaf) },
    }))
  defined({ components: [...fields, ...dependent(25)] })
  const problems = problemsOf({
    components: [...fields, ...dependent(25), { name: 'z', type: 'text', lockedWhen: leaf }],
  })
  assert.deepEqual(Object.keys(problems), ['components.z.lockedWhen'])
  assert.match(problems['components.z.lockedWhen']!, /^more than 500 comparisons in one schema; /)
})

test('limits the values of all conditions together', () => {
  const among = { field: 'nick', in: Array.from({ length: 250 }, (_, n) => `${n}`) }
  const components = (count: number) => [
    ...fields,
    ...Array.from({ length: count }, (_, n) => ({ name: `f${n}`, type: 'text', lockedWhen: among })),
  ]
  defined({ components: components(20) })
  const problems = problemsOf({ components: components(21) })
  assert.deepEqual(Object.keys(problems), ['components.f20.lockedWhen'])
  assert.match(problems['components.f20.lockedWhen']!, /^more than 5000 values in the conditions of one schema; /)
})

test('refuses cycles of visibleWhen with their whole path', () => {
  const field = (name: string, ...reads: string[]) => ({
    name,
    type: 'text',
    visibleWhen: { all: reads.map((read) => ({ field: read, set: true })) },
  })
  const plain = (name: string) => ({ name, type: 'text' })
  assert.deepEqual(problemsOf({ components: [field('a', 'd', 'b'), field('b', 'c'), field('c', 'a'), plain('d')] }), {
    'components.a.visibleWhen': 'cycle a → b → c → a; remove one of these conditions',
  })
  const two = problemsOf({ components: [field('a', 'b'), field('b', 'a'), field('c', 'd', 'a'), field('d', 'c')] })
  assert.deepEqual(Object.keys(two), ['components.a.visibleWhen', 'components.c.visibleWhen'])
  defined({ components: [field('a', 'b', 'c'), field('b', 'c'), plain('c')] })
  const locked = (name: string, read: string) => ({ name, type: 'text', lockedWhen: { field: read, set: true } })
  defined({ components: [locked('a', 'b'), locked('b', 'a')] })
})

test('checks the conditions of all keys and options, also of components with other problems', () => {
  const bad = { field: 'nope', set: true }
  const component = {
    ...{ name: 'plan', type: 'select', colour: 1 },
    ...{ lockedWhen: bad, visibleWhen: bad, requiredWhen: bad },
    options: [{ value: 'free' }, { value: 'pro', when: bad }, { value: 'own', when: { field: 'plan', is: 'pro' } }],
  }
  assert.deepEqual(Object.keys(problemsOf({ components: [component] })), [
    'components.plan.colour',
    'components.plan.lockedWhen.field',
    'components.plan.visibleWhen.field',
    'components.plan.requiredWhen.field',
    'components.plan.options.1.when.field',
    'components.plan.options.2.when.field',
  ])
})

test('serializes equal conditions equally', () => {
  const options = (when: object) => ({ options: [{ when, value: 'a' }], type: 'select' })
  const one = accepts({ max: 5, field: 'size', min: 1 }, options({ is: 'FR', field: 'country' }))
  const other = accepts({ field: 'size', min: 1, max: 5 }, options({ field: 'country', is: 'FR' }))
  assert.equal(JSON.stringify(one), JSON.stringify(other))
  const keys = Object.keys(
    accepts({ field: 'nick', set: true }, { writable: false, lockedWhen: { field: 'nick', set: true } }).components.at(
      -1,
    )!,
  )
  assert.deepEqual(keys, ['name', 'type', 'writable', 'lockedWhen', 'visibleWhen'])
})
