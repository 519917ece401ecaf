import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCondition } from '../../../../contract/fields/conditions/compile-condition.ts'
import { seededRandom } from '../../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../../test/support/runner/sample-size.ts'
import { randomConditionalSchema, randomValues } from '../random-conditions.testkit.ts'
import { compiled, defined } from '../schema.testkit.ts'
import { canHoldIn } from './can-hold.ts'
import { conditionsOf } from './conditions-of.ts'

test('no profile meets a condition that cannot hold', () => {
  let impossible = 0
  for (let round = 0; round < sampleSize(2_000, 500); round++) {
    const random = seededRandom('can-hold', round)
    const components = randomConditionalSchema(random)
    const { schema, present } = compiled(components)
    const canHold = canHoldIn(schema)
    const profiles = Array.from({ length: 40 }, () => present(randomValues(random, components, false), 'operator'))
    for (const { path, condition, component } of conditionsOf(schema)) {
      for (const shown of [undefined, component?.visibleWhen]) {
        if (canHold(condition, shown)) continue
        impossible++
        const holds = [condition, ...(shown ? [shown] : [])].map(compileCondition)
        const profile = profiles.find((values) => holds.every((one) => one((field) => values[field]!)))
        assert.equal(profile, undefined, JSON.stringify({ round, path, components, profile }))
      }
    }
  }
  assert.ok(impossible > 100, `${impossible}`)
})

test('compares a bounded number of values, and then counts conditions as possible', () => {
  const options = Array.from({ length: 250 }, (_, index) => ({ value: `o${index}` }))
  const choices = Array.from({ length: 20 }, (_, index) => ({ name: `s${index}`, type: 'select', options }))
  const pairs = Array.from({ length: 6 }, (_, index) => ({
    any: [0, 1, 2].map((place) => ({ field: `s${index * 3 + place}`, notIn: options.map(({ value }) => value) })),
  }))
  const never = {
    all: [
      { field: 's18', is: 'o1' },
      { field: 's18', is: 'o2' },
    ],
  }
  const visibleWhen = { all: [...pairs, never] }
  const schema = defined({ components: [...choices, { name: 'a', type: 'text', visibleWhen }] })
  const canHold = canHoldIn(schema)
  assert.equal(canHold(visibleWhen), true)
  assert.equal(canHold(never), true, 'nothing is left to compare')
})
