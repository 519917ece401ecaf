import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../../../../server/profiles/schema/schema.testkit.ts'
import type { ProfileSchema, User } from '../generated/types.ts'
import { validateProfile } from '../profile.ts'
import { emptyForm } from './form-state.ts'
import { viewOf } from './profile-fields.ts'
import type { ProfileFormValues } from './shown-form.ts'
import { shownForm } from './shown-form.ts'

const firm = { field: 'kind', is: 'firm' }
const published: ProfileSchema = defined({
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }], control: 'radio' },
    {
      name: 'vat',
      type: 'text',
      visibleWhen: firm,
      requiredWhen: firm,
      lockedWhen: { field: 'checked', is: true },
      messages: { pattern: { default: 'Begin with two letters', fr: 'Commencez par deux lettres' } },
    },
    { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro', when: firm }] },
    { name: 'checked', type: 'boolean', writable: false },
    { name: 'pin', type: 'text', readable: false },
  ],
  presentation: [
    { section: 'all', title: 'All', fields: ['kind', 'plan', 'checked', 'pin'] },
    { section: 'firm', title: 'Firm', fields: ['vat'] },
  ],
  forms: {
    welcome: {
      steps: [
        {
          step: 'who',
          fields: ['kind', 'pin'],
          required: ['kind', 'pin'],
        },
        { step: 'firm', fields: ['vat', 'plan'], required: ['vat'] },
        { step: 'mail', verify: 'email' },
      ],
    },
  },
})

const [who, ofFirm, mail] = published.forms['welcome']!.steps!
/** An earlier version of the service published two texts for one language. */
const titled = { ...who!, title: { default: 'You', FR: 'Toi', fr: 'Vous' } }
const schema: ProfileSchema = {
  ...published,
  forms: { welcome: { steps: [titled, { ...ofFirm!, visibleWhen: firm }, mail!] } },
}

function viewed(part: Partial<ProfileFormValues>, form?: string, user: Partial<User> = {}) {
  // The service answers null for a field that the user cannot read.
  const state = { ...emptyForm, ...part, stored: { pin: null, ...part.stored } }
  return viewOf(schema, form, 'fr-CA', state, shownForm(schema, form, state, user as User, validateProfile))
}
const fieldsOf = (part: Partial<ProfileFormValues>) =>
  new Map(viewed(part).fields.map((field) => [field.name, field] as const))

test('shows what the conditions say about stored and entered values', () => {
  const person = viewed({ stored: { kind: 'firm', vat: 'DE1' }, entered: { kind: 'person' } })
  assert.deepEqual(
    person.fields.map(({ name }) => name),
    ['kind', 'plan', 'checked', 'pin'],
  )
  assert.deepEqual(
    person.sections.map(({ section }) => section),
    ['all'],
    'a section whose fields are all hidden is left out',
  )
  assert.deepEqual(fieldsOf({}).get('plan')!.options, [{ value: 'free', label: 'free' }])
  const vat = fieldsOf({ entered: { kind: 'firm' } }).get('vat')!
  assert.deepEqual([vat.required, vat.writable], [true, true])
  const locked = fieldsOf({ stored: { kind: 'firm', checked: true } }).get('vat')!
  assert.equal(locked.writable, false)
  assert.equal(fieldsOf({ entered: { kind: 'firm' } }).get('plan')!.options.length, 2)
  assert.equal(fieldsOf({}).get('kind')!.control, 'radio')
})

test('judges locks by the stored profile alone', () => {
  const { writable } = fieldsOf({ stored: { kind: 'firm' }, entered: { checked: true } }).get('vat')!
  assert.equal(writable, true)
})

test("offers the tenant's own text for the violated rule in the form's language", () => {
  const errors = { vat: 'Validation rule not met' }
  const part = { stored: { kind: 'firm' }, errors }
  assert.equal(
    fieldsOf({ ...part, details: { vat: { rule: 'pattern' } } }).get('vat')!.message,
    'Commencez par deux lettres',
  )
  const other = fieldsOf({ ...part, details: { vat: { rule: 'maxLength', maxLength: 3 } } }).get('vat')!
  assert.deepEqual([other.message, other.errorDetails], [undefined, { rule: 'maxLength', maxLength: 3 }])
})

const stepsOf = (...args: Parameters<typeof viewed>) =>
  viewed(...args).steps.map(({ step, isCurrent, isComplete, missing }) => [step, isCurrent, isComplete, missing.join()])

test('opens the first step that is not complete, and lists the steps that exist', () => {
  assert.deepEqual(stepsOf({}, 'welcome'), [
    ['who', true, false, 'kind'],
    ['mail', false, false, ''],
  ])
  assert.deepEqual(stepsOf({ entered: { kind: 'firm' } }, 'welcome'), [
    ['who', true, false, 'kind'],
    ['firm', false, false, 'vat'],
    ['mail', false, false, ''],
  ])
  assert.deepEqual(stepsOf({ stored: { kind: 'firm', vat: 'x' } }, 'welcome', { emailVerified: true }), [
    ['who', true, true, ''],
    ['firm', false, true, ''],
    ['mail', false, true, ''],
  ])
  const mail = viewed({ stored: { kind: 'person' } }, 'welcome')
  assert.deepEqual([mail.steps[1]!.isCurrent, mail.steps[1]!.verify, mail.fields], [true, 'email', []])
})

test('shows the fields of the current step, with its title in the form’s language; of equal tags the last one counts', () => {
  const { sections, fields } = viewed({}, 'welcome')
  assert.deepEqual([sections.length, sections[0]!.title], [1, 'Vous'])
  assert.deepEqual(
    fields.map(({ name, required }) => [name, required]),
    [
      ['kind', true],
      ['pin', true],
    ],
  )
})

test('ignores what is entered in another step than the current one', () => {
  const part = { stored: { kind: 'firm' }, entered: { kind: 'person', vat: 'x' }, step: 'firm' }
  const shown = shownForm(schema, 'welcome', { ...emptyForm, ...part }, null)
  assert.deepEqual([shown.step?.step, shown.entered], ['firm', { vat: 'x' }])
})

test('reopens a step whose stored value the schema no longer accepts', () => {
  const { steps } = viewed({ stored: { kind: 'gone' } }, 'welcome')
  assert.deepEqual([steps[0]!.isComplete, steps[0]!.invalid], [false, ['kind']])
})

test('does not reopen a step because of a value that the user cannot change, or that may be locked', () => {
  const pro = { type: 'select', options: [{ value: 'pro' }] } as const
  const strict = defined({
    components: [
      { name: 'pin', type: 'text', readable: false },
      { ...pro, name: 'plan', writable: false },
      { ...pro, name: 'level', writeOnce: true },
      { ...pro, name: 'kind', lockedWhen: { field: 'level', set: true } },
      { ...pro, name: 'team', lockedWhen: { field: 'pin', set: true } },
      { ...pro, name: 'role' },
    ],
    forms: { welcome: { steps: [{ step: 'all', fields: ['plan', 'level', 'kind', 'team', 'role'] }] } },
  })
  const stored = { pin: null, plan: 'x', level: 'x', kind: 'x', team: 'x', role: 'x' }
  const invalid = (more: object) =>
    shownForm(strict, 'welcome', { ...emptyForm, stored: { ...stored, ...more } }, null, validateProfile).step?.invalid
  assert.deepEqual(invalid({}), ['role'])
  assert.deepEqual(invalid({ level: null }), ['kind', 'role'])
})

test('has no steps for a form without them, and no fields for an unknown one', () => {
  assert.deepEqual(viewed({}).steps, [])
  assert.deepEqual([viewed({}, 'toString').fields, viewed({}, 'toString').steps], [[], []])
})

const taxed: ProfileSchema = defined({
  components: [
    { name: 'taxId', type: 'text', readable: false },
    { name: 'name', type: 'text', lockedWhen: { field: 'taxId', set: true } },
    {
      name: 'since',
      type: 'date',
      visibleWhen: { field: 'taxId', set: true },
      requiredWhen: { field: 'taxId', set: true },
    },
    { name: 'until', type: 'date', visibleWhen: { field: 'since', set: false } },
    {
      name: 'office',
      type: 'select',
      options: [{ value: 'any' }, { value: 'own', when: { field: 'taxId', set: true } }],
    },
  ],
  forms: {
    tax: {
      steps: [
        { step: 'number', fields: ['taxId', 'since'], required: ['taxId', 'since'] },
        { step: 'office', fields: ['office'], required: ['office'], visibleWhen: { field: 'taxId', set: true } },
      ],
    },
  },
})
const taxForm = (stored: object, entered: object = {}, form?: string) => {
  const state = { ...emptyForm, stored: { ...stored }, entered: { ...entered } }
  const shown = shownForm(taxed, form, state, null)
  return { shown, fields: new Map(viewOf(taxed, form, 'en', state, shown).fields.map((one) => [one.name, one])) }
}

test('leaves to the service what depends on a value that the user cannot read', () => {
  const { fields } = taxForm({ taxId: null, since: null })
  assert.deepEqual([...fields.keys()], ['taxId', 'name', 'since', 'until', 'office'])
  assert.deepEqual([fields.get('name')!.writable, fields.get('since')!.required], [true, false])
  assert.equal(fields.get('office')!.options.length, 2)
  const { shown } = taxForm({ taxId: null, since: null }, {}, 'tax')
  assert.deepEqual(
    shown.steps.map(({ step, missing }) => [step, missing]),
    [
      ['number', []],
      ['office', []],
    ],
  )
  assert.deepEqual([shown.required, shown.asked], [['taxId', 'since'], []])
})

test('judges such conditions by what the user has entered, and of a profile that does not exist yet', () => {
  const entered = taxForm({ taxId: null, since: null }, { taxId: '7' }).fields
  assert.deepEqual([entered.get('since')!.required, entered.get('name')!.writable], [true, true])
  const fresh = taxForm({})
  assert.deepEqual([...fresh.fields.keys()], ['taxId', 'name', 'until', 'office'])
  assert.equal(fresh.fields.get('office')!.options.length, 1)
  assert.deepEqual(taxForm({}, {}, 'tax').shown.asked, ['taxId'])
})
