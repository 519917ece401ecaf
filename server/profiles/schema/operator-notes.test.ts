import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compiled, NOW, problemsOf } from './schema.testkit.ts'

const isNote = { readable: false, writable: false }
const reads = (field: string) => ({ field, set: true })
/** Notes with every kind of condition, on one field. */
const components = (field: string) => [
  { name: 'nick', type: 'text' },
  { name: 'pin', type: 'text', readable: false },
  { name: 'plan', type: 'text', writable: false },
  { name: 'note', type: 'text', ...isNote },
  { name: 'tier', type: 'select', ...isNote, options: [{ value: 'gold', when: reads(field) }] },
  { name: 'risk', type: 'text', ...isNote, requiredWhen: reads(field), lockedWhen: reads(field) },
  { name: 'reason', type: 'text', ...isNote, visibleWhen: { all: [reads('note'), { not: reads(field) }] } },
]

test('refuses conditions of notes on fields that are not notes: updates of users would hide them, or name them', () => {
  for (const field of ['nick', 'pin', 'plan']) {
    const problems = problemsOf({ components: components(field) })
    assert.deepEqual(Object.keys(problems), [
      'components.tier.options.0.when.field',
      'components.risk.lockedWhen.field',
      'components.risk.requiredWhen.field',
      'components.reason.visibleWhen.all.1.not.field',
    ])
    const problem = `"${field}" is public and this is the operator's note, `
    for (const message of Object.values(problems)) assert.ok(message.startsWith(problem), message)
  }
})

test('judges conditions of notes on notes for the operator, and never for a user', () => {
  const schema = compiled(components('note'))
  const judge = (update: object, operator: boolean) =>
    schema.validate({ ...update }, { now: NOW, operator, current: { note: 'x', tier: 'gold' } })
  const values = { nick: 'Ann', pin: '1' }
  assert.deepEqual(judge({ ...values, note: null, risk: 'x', reason: 'x' }, false), { values })
  assert.deepEqual(judge({ note: null }, true), {
    validation: { tier: 'Validation rule not met' },
    details: { tier: { rule: 'options', options: [] } },
  })
  assert.deepEqual(judge({ note: 'y' }, true), {
    validation: { risk: 'Validation rule not met' },
    details: { risk: { rule: 'requiredWhen' } },
  })
})

test('refuses to show notes in sections, forms and steps', () => {
  const fields = ['nick', 'note']
  const problems = problemsOf({
    components: components('note'),
    presentation: [{ section: 'one', fields }],
    forms: { short: { fields }, long: { steps: [{ step: 'who', fields }] } },
  })
  const places = ['presentation.0', 'forms.short', 'forms.long.steps.0']
  const problem = 'clients neither read nor write "note"; remove it, or make the field readable'
  assert.deepEqual(problems, Object.fromEntries(places.map((place) => [`${place}.fields.1`, problem])))
})
