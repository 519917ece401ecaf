import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldComponent } from '../field-component.ts'
import { compileVisibility, noneHidden } from './visibility.ts'

const text = (name: string, ...reads: string[]): FieldComponent => ({
  ...{ name, type: 'text' },
  ...(reads.length > 0 && { visibleWhen: { all: reads.map((field) => ({ field, set: true })) } }),
})

test('decides a field after those that it reads, whatever the order of the schema', () => {
  const values: Record<string, string> = { b: 'x', c: 'x', d: 'x' }
  const hidden = compileVisibility([text('d', 'c'), text('c', 'b'), text('b', 'a'), text('a')])
  assert.deepEqual([...hidden((field) => values[field] ?? null)].sort(), ['b', 'c', 'd'])
  assert.deepEqual([...hidden((field) => ({ ...values, a: 'x' })[field] ?? null)], [])
})

test('reads each compared field once: the cost is linear in the comparisons', () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`)
  const readsOf = (fields: number) => {
    const chain = Array.from({ length: fields }, (_, index) =>
      text(`v${index}`, ...names.slice(1), index ? `v${index - 1}` : 'f0'),
    )
    let reads = 0
    compileVisibility([...names.map((name) => text(name)), ...chain.toReversed()])(() => {
      reads++
      return 'x'
    })
    return reads
  }
  assert.deepEqual([readsOf(1), readsOf(12), readsOf(25)], [20, 240, 500])
})

test('ends with a cycle, which only the server can refuse', () => {
  const hidden = compileVisibility([text('a', 'b'), text('b', 'a')])
  assert.deepEqual([...hidden(() => null)].sort(), ['a', 'b'])
})

test('shares one empty set where no field can be hidden', () => {
  assert.equal(
    compileVisibility([text('a')])(() => null),
    noneHidden,
  )
})
