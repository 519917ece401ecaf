import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { leastMs, threadMs } from '../../../test/support/thread-time.ts'
import { compileProfileSchema } from './compile-profile-schema.ts'
import { defineProfileSchema } from './define/define-profile-schema.ts'
import { client } from './schema.testkit.ts'

const scalars = ['x', '', '__proto__', 'f0', 'f1', '\ud800', 0, -1, 1e308, 2 ** 53, true, false, null, {}, [], [[]]]
const fieldNames = ['f0', 'f1', 'f2', 'f199', 'toString', '__proto__', 'nope', '', 7, null]
const keys = ['is', 'in', 'isNot', 'notIn', 'set', 'min', 'max', 'all', 'any', 'not', 'field', '__proto__', 'extra']
const types = ['text', 'integer', 'number', 'date', 'select', 'multiselect', 'list', 'phone', 'url', 'boolean', 'nope']
const patterns = ['^(a+)+$', '(?=a)', '(', 'x{1000}', '^[a-z]+$', '(a|b|c){9}', '\\p{L}+', '']

/** Something that may be a condition: deep, wide, circular, with several operators, or of another type. */
function anyCondition(random: Random, depth = 8): unknown {
  const roll = random.next()
  if (roll < 0.05) return random.pick(scalars)
  if (depth > 0 && roll < 0.4) {
    const isWide = random.next() < 0.02
    const length = random.below(isWide ? 400 : 4)
    const parts = Array.from({ length }, () => anyCondition(random, isWide ? 0 : depth - 1))
    return { [random.pick(['all', 'any', 'not'])]: random.next() < 0.7 ? parts : parts[0] }
  }
  const condition: Record<string, unknown> = { field: random.pick(fieldNames) }
  do {
    const key = random.pick(keys)
    const isList = key.toLowerCase().endsWith('in')
    const values = Array.from({ length: random.below(random.next() < 0.1 ? 300 : 5) }, (_, index) =>
      random.next() < 0.5 ? index : `${index}`,
    )
    const value = isList ? values : random.pick(scalars)
    Object.defineProperty(condition, key, { value, enumerable: true, configurable: true })
  } while (random.next() < 0.2)
  return condition
}

function anyComponent(random: Random, index: number): object {
  const sometimes = (chance: number, key: string, value: () => unknown) =>
    random.next() < chance ? { [key]: value() } : {}
  return {
    ...{ name: random.next() < 0.95 ? `f${index}` : random.pick(fieldNames), type: random.pick(types) },
    ...sometimes(0.4, 'options', () => anyOptions(random)),
    ...sometimes(0.2, 'rules', () => ({ pattern: random.pick(patterns), maxLength: random.pick([1, 10, 2048, 1e9]) })),
    ...sometimes(0.4, 'visibleWhen', () => anyCondition(random)),
    ...sometimes(0.3, 'lockedWhen', () => anyCondition(random)),
    ...sometimes(0.3, 'requiredWhen', () => anyCondition(random)),
    ...sometimes(0.1, 'sensitive', () => true),
    ...sometimes(0.1, 'writable', () => random.pick(scalars)),
  }
}

function anyOptions(random: Random): unknown {
  const count = random.next() < 0.05 ? 500 : random.below(6)
  return Array.from({ length: count }, (_, index) => ({
    value: random.next() < 0.95 ? `${index}` : random.pick(scalars),
    ...(random.next() < 0.1 && { when: anyCondition(random, 2) }),
  }))
}

/** 200 fields, each visible by the one before, the first by the last. */
const ring = (size: number, isClosed: boolean) =>
  Array.from({ length: size }, (_, index) => ({
    ...{ name: `f${index}`, type: 'text' },
    ...((index > 0 || isClosed) && { visibleWhen: { field: `f${(index + size - 1) % size}`, set: true } }),
  }))

/** The most that a schema may have of everything: 500 comparisons with 5,000 values, each with fields of 500 options. */
function largest(): object[] {
  const options = Array.from({ length: 500 }, (_, index) => ({ value: `${index}` }))
  const among = (length: number) => ({ field: 'f0', in: options.slice(0, length).map(({ value }) => value) })
  return Array.from({ length: 200 }, (_, index) => ({
    ...{ name: `f${index}`, type: index === 0 ? 'select' : 'text', ...(index === 0 && { options }) },
    ...(index > 0 && index <= 25 && { visibleWhen: { any: Array.from({ length: 20 }, () => among(10)) } }),
  }))
}

/** Milliseconds of this thread's CPU that publishing takes, and using the schema if it is accepted. */
function cpuOf(components: readonly object[]): number {
  const started = threadMs()
  const outcome = defineProfileSchema({ components })
  if ('schema' in outcome) {
    const schema = compileProfileSchema(outcome.schema)
    const values = Object.fromEntries(components.map((_, index) => [`f${index}`, `${index}`]))
    schema.validate(values, client(values))
    schema.present(values)
  }
  return threadMs() - started
}

function assertCheap(components: readonly object[]): void {
  const least = leastMs(50, () => cpuOf(components))
  assert.ok(least < 50, `${least} ms: ${JSON.stringify(components).slice(0, 2000)}`)
}

test('refuses or accepts any schema within 50 ms of CPU, without throwing (threat E05)', () => {
  for (let round = 0; round < sampleSize(5_000, 300); round++) {
    const random = seededRandom('hostile conditions', round)
    const count = random.next() < 0.05 ? 200 : 1 + random.below(8)
    assertCheap(Array.from({ length: count }, (_, index) => anyComponent(random, index)))
  }
})

test('decides the largest schemas within 50 ms of CPU', () => {
  assert.ok('schema' in defineProfileSchema({ components: largest() }))
  assertCheap(largest())
  assert.ok('schema' in defineProfileSchema({ components: ring(200, false) }))
  assertCheap(ring(200, false))
  assert.ok('validation' in defineProfileSchema({ components: ring(200, true) }))
  assertCheap(ring(200, true))
})

test('decides conditions of any depth', () => {
  let deep: object = { field: 'f0', set: true }
  for (let level = 0; level < 5_000; level++) deep = { not: deep }
  const components = [...ring(1, false), { name: 'f1', type: 'text', visibleWhen: deep }]
  const outcome = defineProfileSchema({ components })
  assert.ok('validation' in outcome)
  assert.deepEqual(Object.keys(outcome.validation), ['components.f1.visibleWhen.not.not.not.not'])
})
