import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../../server/profiles/schema/schema.testkit.ts'
import type { ProfileSchema } from '../generated/types.ts'
import { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'

const notMet = 'Validation rule not met'
const schema: ProfileSchema = defined({
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }] },
    {
      name: 'vat',
      type: 'text',
      visibleWhen: { field: 'kind', is: 'firm' },
      requiredWhen: { field: 'kind', set: true },
    },
    {
      name: 'plan',
      type: 'select',
      options: [{ value: 'free' }, { value: 'pro', when: { field: 'kind', is: 'firm' } }],
      lockedWhen: { field: 'verified', is: true },
    },
    { name: 'verified', type: 'boolean', writable: false },
    { name: 'secret', type: 'text', readable: false },
  ],
  forms: {
    welcome: {
      steps: [
        { step: 'who', fields: ['kind', 'secret'], required: ['kind', 'secret'] },
        { step: 'firm', fields: ['vat', 'plan'], required: ['vat'] },
      ],
    },
  },
})

test('judges conditions with the stored profile, and gives the rules', () => {
  const details: Record<string, FieldDetail> = {}
  const judge = (values: object, current: object | null) =>
    validateProfile(schema, { ...values }, { current: { ...current }, details })
  assert.deepEqual(judge({ kind: 'firm' }, null), { vat: notMet })
  assert.deepEqual(details, { vat: { rule: 'requiredWhen' } })
  assert.deepEqual(judge({ kind: 'firm' }, { vat: 'DE1' }), { vat: notMet }, 'a hidden value did not exist')
  assert.deepEqual(judge({ kind: 'firm', vat: 'DE1' }, null), {})
  assert.deepEqual(judge({ kind: 'person', vat: 7 }, null), {}, 'a hidden field is ignored')
  assert.deepEqual(judge({ plan: 'pro' }, { kind: 'person' }), { plan: notMet })
  assert.deepEqual(details['plan'], { rule: 'options', options: ['free'] })
  assert.deepEqual(judge({ plan: 'pro' }, { kind: 'firm', vat: 'DE1' }), {})
  assert.deepEqual(judge({ plan: 'free' }, { kind: 'firm', vat: 'DE1', plan: 'pro', verified: true }), { plan: notMet })
  assert.deepEqual(details['plan'], { rule: 'lockedWhen' })
})

test('leaves conditions to the service without the stored profile', () => {
  assert.deepEqual(validateProfile(schema, { kind: 'firm' }), {})
  assert.deepEqual(validateProfile(schema, { plan: 'pro' }), {})
  assert.deepEqual(validateProfile(schema, { kind: 'firm' }, { current: null }), { vat: notMet })
})

test('judges a step: its own fields, and what it requires in the profile after the change', () => {
  const judge = (step: string, values: object, current: object | null = null) =>
    validateProfile(schema, { ...values }, { form: 'welcome', step, current: current && { ...current } })
  assert.deepEqual(judge('who', { vat: 7 }), { kind: 'Required' }, 'a value that is not readable may be stored')
  assert.deepEqual(judge('who', {}, { kind: 'person' }), {})
  assert.deepEqual(judge('who', { kind: null }, { kind: 'person' }), { kind: notMet })
  assert.deepEqual(judge('who', { kind: 'other' }), { kind: notMet })
  assert.deepEqual(judge('firm', {}, { kind: 'person' }), {}, 'a hidden field is not required')
  assert.deepEqual(judge('firm', {}, { kind: 'firm' }), { vat: 'Required' })
  assert.deepEqual(judge('firm', { vat: 'DE1' }, { kind: 'firm' }), {})
  assert.deepEqual(judge('firm', { plan: 7 }, { kind: 'firm' }), {
    vat: 'Required',
    plan: 'Expected string, received number',
  })
})

test('leaves conditions to the service that read a field it alone can judge, and what depends on them', () => {
  const newer = {
    ...schema,
    components: [
      { name: 'mood', type: 'mood' } as never,
      { name: 'why', type: 'text', visibleWhen: { field: 'mood', is: 'bad' } } as const,
      { name: 'since', type: 'text', requiredWhen: { field: 'why', set: true } } as const,
      { name: 'age', type: 'integer', requiredWhen: { field: 'since', set: true } } as const,
      { name: 'secret', type: 'text', readable: false } as const,
      { name: 'hint', type: 'text', requiredWhen: { field: 'secret', set: false } } as const,
    ],
  }
  const judge = (values: object) => validateProfile(newer, { ...values }, { current: null })
  assert.deepEqual(judge({ why: 7, secret: null }), { why: 'Expected string, received number' })
  assert.deepEqual(judge({ why: 'x' }), {})
  assert.deepEqual(judge({ since: 'x' }), { age: notMet })
})

test('judges conditions of a sign-up by values that the user cannot read afterwards', () => {
  const components = [
    { name: 'taxId', type: 'text', readable: false },
    { name: 'reason', type: 'text', visibleWhen: { field: 'taxId', set: false } },
    { name: 'place', type: 'text', requiredWhen: { field: 'taxId', set: true } },
  ]
  const fields = components.map(({ name }) => name)
  const signUp = defined({ components, forms: { signUp: { fields, required: ['reason'] } } })
  const judge = (values: Record<string, unknown>) => validateProfile(signUp, values, { form: 'signUp' })
  assert.deepEqual(judge({ taxId: 'FR1', place: 'Paris' }), {}, 'a hidden field is not required')
  assert.deepEqual(judge({ taxId: 'FR1', place: 'Paris', reason: 7 }), {}, 'a hidden field is ignored')
  assert.deepEqual(judge({ taxId: 'FR1' }), { place: notMet })
  assert.deepEqual(judge({}), { reason: 'Required' })
})

test('asks for nothing that the service would not ask for', () => {
  const firm = { field: 'kind', is: 'firm' }
  const shown = { field: 'secret', set: true }
  const hidden: ProfileSchema = defined({
    components: [
      { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }] },
      { name: 'secret', type: 'text', readable: false, requiredWhen: firm, lockedWhen: firm },
      { name: 'vat', type: 'text', visibleWhen: firm, requiredWhen: { field: 'secret', set: true } },
      { name: 'hint', type: 'text', visibleWhen: shown, requiredWhen: firm },
      { name: 'city', type: 'text' },
    ],
    forms: {
      welcome: {
        steps: [
          { step: 'firm', fields: ['city'], required: ['city'], visibleWhen: firm },
          { step: 'hint', fields: ['hint'], required: ['hint'] },
          { step: 'secret', fields: ['kind'], required: ['kind'], visibleWhen: shown },
        ],
      },
      flat: { fields: ['city'], required: ['city'] },
    },
  })
  const judge = (values: object, options: object) => validateProfile(hidden, { ...values }, options)
  const person = { kind: 'person' }
  const [first, second, third] = ['firm', 'hint', 'secret'].map((step) => ({ form: 'welcome', step, current: person }))
  assert.deepEqual(judge({}, first!), {}, 'a hidden step')
  assert.deepEqual(judge({}, { ...first, current: { kind: 'firm' } }), { city: 'Required' })
  assert.deepEqual(judge({}, second!), {}, 'a field that may be hidden')
  assert.deepEqual(judge({}, { ...third, current: {} }), {}, 'a step that may be hidden')
  assert.deepEqual(judge({ kind: 'firm' }, { current: person }), {}, 'a value that is not readable may be stored')
  assert.deepEqual(judge({ secret: 'same' }, { current: { kind: 'firm' } }), {}, 'and it may be this one')
  assert.deepEqual(judge({ vat: 7 }, { current: person }), {}, 'hidden, whatever else the service decides about it')
  assert.deepEqual(judge({ kind: 'firm', hint: null }, { current: {} }), {}, 'a field that may be hidden')
  assert.deepEqual(judge({ city: 'Paris', vat: 7, kind: 7 }, { form: 'flat' }), {}, 'fields of no form are ignored')
  assert.deepEqual(judge({ kind: 7 }, { form: 'welcome', current: person }), {}, 'a form with steps needs one of them')
  assert.deepEqual(judge({ city: null }, { form: 'flat' }), { city: notMet })
})

test('leaves to the service what was wrong before with a field that may be locked', () => {
  const firm = { field: 'kind', is: 'firm' }
  const lockedBy = (field: string) => {
    const options = [{ value: 'free' }, { value: 'pro', when: firm }]
    const schema = defined({
      components: [
        { name: 'kind', type: 'text' },
        { name: 'checked', type: 'boolean' },
        { name: 'secret', type: 'boolean', readable: false },
        { name: 'plan', type: 'select', options, lockedWhen: { field, is: true } },
        { name: 'vat', type: 'text', requiredWhen: { not: firm }, lockedWhen: { field, is: true } },
      ],
    })
    const current = { kind: 'club', plan: 'pro' }
    return (more: object) => validateProfile(schema, { kind: 'person' }, { current: { ...current, ...more } })
  }
  assert.deepEqual(lockedBy('secret')({}), {})
  assert.deepEqual(lockedBy('checked')({ checked: true }), {})
  assert.deepEqual(lockedBy('checked')({}), { plan: notMet, vat: notMet })
  assert.deepEqual(lockedBy('checked')({ checked: true, kind: 'firm' }), { plan: notMet, vat: notMet })
})
