import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { randomConditionalSchema, randomValues } from './random-conditions.testkit.ts'
import { compiled, NOW } from './schema.testkit.ts'
import { judgeSlowly, readSlowly } from './slow-conditions.testkit.ts'

const conditionRules = ['required', 'writeOnce', 'writable', 'lockedWhen', 'requiredWhen']

test('judges and shows random profiles by random schemas as the rules read (ACCESS-3 to ACCESS-11)', () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let round = 0; round < sampleSize(10_000, 2_500); round++) {
    const random = seededRandom('conditions', round)
    const components = randomConditionalSchema(random)
    const stored = randomValues(random, components, false)
    const update = randomValues(random, components, true)
    const operator = random.next() < 0.25
    const unproven = components.flatMap(({ name }) => (random.next() < 0.1 ? [name] : []))
    const schema = compiled(components)
    const context = JSON.stringify({ round, components, stored, update, operator, unproven })

    const expected = judgeSlowly({ components, stored, update, operator, unproven })
    const judged = schema.validate(update, { now: NOW, operator, current: stored, unproven })
    if ('validation' in judged) {
      const rules = Object.entries(judged.details).map(([name, { rule }]) => [
        name,
        conditionRules.includes(rule) || (Object.hasOwn(expected.refused, name) && expected.refused[name] === 'options')
          ? rule
          : 'invalid',
      ])
      assert.deepEqual(Object.fromEntries(rules), expected.refused, context)
      for (const [, rule] of rules) count(String(rule))
    } else {
      assert.deepEqual([judged.values, {}], [expected.values, expected.refused], context)
      count('accepted')
      if (Object.keys(judged.values).some((name) => !Object.hasOwn(update, name))) count('cleared')
    }

    const typed = compiled(components.map(({ visibleWhen: _visibleWhen, ...rest }) => rest)).present(stored, 'operator')
    const shown = components.map(({ name }) => [name, readSlowly(components, (field) => typed[field]!, name)])
    assert.deepEqual(schema.present(stored, 'operator'), Object.fromEntries(shown), context)
    const forUser = components.flatMap(({ name, readable, writable }, index) => {
      if (readable !== false) return [shown[index]!]
      return writable === false ? [] : [[name, null]]
    })
    assert.deepEqual(schema.present(stored), Object.fromEntries(forUser), context)
  }
  for (const outcome of [...conditionRules, 'options', 'invalid', 'accepted', 'cleared']) {
    assert.ok((seen.get(outcome) ?? 0) > 20, `${outcome}: ${seen.get(outcome)}`)
  }
})
