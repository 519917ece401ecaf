import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { leastMs, threadMs } from '../../../test/support/thread-time.ts'
import { compileProfileSchema } from './compile-profile-schema.ts'
import { defineProfileSchema } from './define/define-profile-schema.ts'

/** Patterns of a grammar made to be slow, from a fixed seed; the same ones in every run. */
function* hostilePatterns(count: number): Generator<string> {
  const random = seededRandom('hostile patterns')
  const pick = <T>(...choices: T[]) => random.pick(choices)
  const atom = (): string =>
    pick(
      'a',
      '.',
      '[ab]',
      '\\w',
      '\\PL',
      '\\p{L}',
      '[^a]',
      '\\Ba',
      '(?:(?s).)',
      'é',
      '[B-\uffff]',
      '\\x{1F600}',
      'a|',
      '[[:alpha:]]',
    )
  const quantifier = (): string => pick('', '', '*', '+', '?', '{0,9}', '{10}', '{1,30}', '{2,}', '*?', '{0,2}')
  const flaw = (): string =>
    pick('{1000}', '{99,}', '{2,1}', '**', '{999999999}', '(?=a)', '\\1', ')', '(', '[', '(?i)')
  const part = (depth: number): string => {
    if (depth === 0) return atom() + quantifier()
    const inside = Array.from({ length: pick(1, 1, 2, 3, 8) }, () => part(depth - 1)).join(pick('', '', '|'))
    const group = pick('(', '(?:', '(?i:', '(?U:')
    return `${group}${random.next() < 0.02 ? flaw() : ''}${inside})${quantifier()}`
  }
  yield* [
    '^(a+)+$',
    '[ab]*a[ab]{900}$',
    '(.{1,30}){1,30}',
    '[ab]*a[ab]{99}[!?]$',
    '(?:.{1,10}){1,10}[!?]$',
    '(?:a?){100}a{100}',
  ]
  yield* [
    `(?:${'[ab]?'.repeat(9)}){50}[!?]$`,
    `(?i)(?:${'[B-\uffff]'.repeat(2)}){50}[!?]$`,
    '(?:\\PL?\\PN?\\PS?\\PP?\\pL?){70}[!?]$',
  ]
  yield* [
    `${'('.repeat(120)}a${')'.repeat(120)}`,
    `(?i)${'[B-\uffff]'.repeat(50)}`,
    `${'a|'.repeat(127)}a`,
    `(?:${'a*'.repeat(100)})*[!?]$`,
  ]
  for (let index = 0; index < count; index++) yield part(pick(1, 1, 2, 2, 3)) + pick('', '$', '[!?]$', '[!?]$')
}

const hostileValues = [
  'a'.repeat(1024),
  'ab'.repeat(512),
  mixed('ab'),
  mixed('kKsSéЖ漢😀'),
  '\n'.repeat(1024),
  `${'a'.repeat(1023)}!`,
]

test('rejects each hostile pattern, or matches each hostile value in less than 50 ms of CPU (threat E05)', () => {
  let accepted = 0
  let refused = 0
  const count = sampleSize(2000)
  for (const pattern of hostilePatterns(count)) {
    const components = [{ name: 'field', type: 'text', rules: { pattern } }]
    const defining = leastMs(100, () => {
      const started = threadMs()
      defineProfileSchema({ components })
      return threadMs() - started
    })
    assert.ok(defining < 100, `${defining} ms to define ${pattern}`)
    const outcome = defineProfileSchema({ components })
    if ('validation' in outcome) {
      refused++
      continue
    }
    accepted++
    for (const field of hostileValues) {
      const took = judgingMs(outcome.schema, { field })
      assert.ok(took < 50, `${took} ms for ${pattern}`)
    }
  }
  const least = count * 0.15
  assert.ok(accepted > least && refused > least, `${accepted} accepted, ${refused} refused`)
})

test('matches all patterns of a schema in less than 50 ms of CPU, or rejects the schema', () => {
  const hostile = Array.from({ length: 50 }, (_, index) => ({
    name: `field${index}`,
    type: 'text',
    rules: { pattern: `[ab]*a[ab]{9${index % 10}}[!?]$`, maxLength: 95 },
  }))
  const refusal = defineProfileSchema({
    components: hostile.map((one) => ({ ...one, rules: { ...one.rules, maxLength: 1024 } })),
  })
  assert.ok(
    'validation' in refusal &&
      Object.values(refusal.validation).every((message) => /matching cost of one update/.test(message)),
  )
  const outcome = defineProfileSchema({ components: hostile })
  assert.ok('schema' in outcome, JSON.stringify(outcome))
  const update = Object.fromEntries(hostile.map(({ name }) => [name, mixed('ab').slice(0, 95)]))
  const took = judgingMs(outcome.schema, update)
  assert.ok(took < 50, `${took} ms`)
})

test('defines and compiles 50 patterns that are slow to compile in less than 250 ms of CPU, or rejects them', () => {
  const withPatterns = (patternOf: (index: number) => string) =>
    Array.from({ length: 50 }, (_, index) => ({
      name: `field${index}`,
      type: 'text',
      rules: { pattern: patternOf(index), maxLength: 80 },
    }))
  const cpuOf = (patternOf: (index: number) => string) => {
    let isAccepted = false
    const ms = leastMs(250, () => {
      const started = threadMs()
      const outcome = defineProfileSchema({ components: withPatterns(patternOf) })
      isAccepted = 'schema' in outcome
      if ('schema' in outcome) compileProfileSchema(outcome.schema)
      return threadMs() - started
    })
    return { isAccepted, ms }
  }
  const folded = cpuOf((index) => `^(?i)${'\\PL'.repeat(4)}${index}`)
  const plain = cpuOf((index) => `^${'\\PL'.repeat(16)}${index}`)
  assert.ok(folded.isAccepted && plain.isAccepted)
  const refused = cpuOf((index) => `^(?i)${'\\PL'.repeat(80)}${index}`)
  assert.ok(!refused.isAccepted)
  for (const { ms } of [folded, plain, refused]) assert.ok(ms < 250, `${ms} ms`)
})

/** Of a schema that has judged nothing before: automata grow with what they read. */
function judgingMs(schema: ProfileSchema, values: ProfileValues): number {
  return leastMs(50, () => {
    const compiled = compileProfileSchema(schema)
    const started = threadMs()
    compiled.validate(values, { now: 0, operator: false, current: null })
    return threadMs() - started
  })
}

/** 1024 code points of an alphabet in no order that an automaton could foresee. */
function mixed(alphabet: string): string {
  const letters = [...alphabet]
  const random = seededRandom('mixed letters')
  return Array.from({ length: 1024 }, () => random.pick(letters)).join('')
}
