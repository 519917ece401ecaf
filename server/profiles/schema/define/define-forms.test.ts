import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

const components = [
  { name: 'a', type: 'text' },
  { name: 'b', type: 'text', writable: false },
  { name: 'note', type: 'text', writable: false, readable: false },
]
const forms = (value: unknown) => Object.keys(problemsOf({ components, forms: value }))
const steps = (...value: unknown[]) => forms({ onboarding: { steps: value } })

test('requires forms with valid names, and required fields that are writable fields of the form', () => {
  defined({ components, forms: { signUp: { fields: ['a', 'b'], required: ['a'] }, toString: { fields: [] } } })
  assert.deepEqual(forms({ signUp: { fields: ['a'], required: ['a', 'b', 'c'] } }), [
    'forms.signUp.required.2',
    'forms.signUp.required.1',
  ])
  assert.deepEqual(forms({ signUp: { fields: ['b'], required: ['b'] } }), ['forms.signUp.required.0'])
  assert.deepEqual(forms({ signUp: { required: [] } }), ['forms.signUp.fields'])
  assert.deepEqual(forms({ 'sign-up': { fields: [] } }), ['forms.sign-up'])
  assert.deepEqual(forms(JSON.parse('{"__proto__": {"fields": []}}')), ['forms.__proto__'])
  assert.deepEqual(forms({ edit: { fields: ['note'] } }), ['forms.edit.fields.0'])
  assert.deepEqual(forms([]), ['forms'])
})

test('names a problem of a form or a step by the place of its field in what was sent', () => {
  assert.deepEqual(forms({ edit: { fields: ['a', 'b'], required: ['nope', 'a', 'a', 'b'] } }), [
    'forms.edit.required.0',
    'forms.edit.required.2',
    'forms.edit.required.3',
  ])
  const who = { step: 'who', fields: ['a'] }
  assert.deepEqual(steps(who, { step: 'firm', fields: ['nope', 'a'] }), [
    'forms.onboarding.steps.1.fields.0',
    'forms.onboarding.steps.1.fields.1',
  ])
  assert.deepEqual(forms({ edit: { fields: ['nope', 'note'] } }), ['forms.edit.fields.0', 'forms.edit.fields.1'])
})

test('publishes steps in the order of the contract’s members, without absent ones', () => {
  const form = {
    steps: [
      { fields: ['a'], title: { default: 'You', fr: 'Vous' }, required: ['a'], step: 'who' },
      { verify: 'email', step: 'mail' },
      { step: 'rest', fields: ['b'] },
    ],
    description: 'Three steps',
  }
  const { onboarding } = defined({ components, forms: { onboarding: form } }).forms
  assert.equal(
    JSON.stringify(onboarding),
    '{"description":"Three steps","steps":[{"step":"who","title":{"default":"You","fr":"Vous"},"fields":["a"],"required":["a"]},{"step":"mail","verify":"email"},{"step":"rest","fields":["b"]}]}',
  )
})

test('requires one to twenty steps with unique valid names', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ step: `s${index}`, fields: [] }))
  defined({ components, forms: { onboarding: { steps: many(20) } } })
  assert.deepEqual(steps(...many(21)), ['forms.onboarding.steps'])
  assert.deepEqual(steps(), ['forms.onboarding.steps'])
  for (const none of ['who', {}, null, 1]) {
    assert.deepEqual(forms({ onboarding: { steps: none } }), ['forms.onboarding.steps'])
  }
  assert.deepEqual(
    steps('who', null, []),
    [0, 1, 2].map((index) => `forms.onboarding.steps.${index}`),
  )
  assert.deepEqual(steps({ step: 'who', fields: [] }, { step: 'who', fields: [] }), ['forms.onboarding.steps.1.step'])
  for (const name of ['Who', '', 1, null, undefined, '__proto__', 'a'.repeat(65)]) {
    assert.deepEqual(steps({ step: name, fields: [] }), ['forms.onboarding.steps.0.step'])
  }
  assert.deepEqual(steps({ step: 'who', fields: [], next: 'firm' }), ['forms.onboarding.steps.0.next'])
  assert.deepEqual(steps({ step: 'who', title: 7, fields: [] }), ['forms.onboarding.steps.0.title'])
})

test('requires fields of the schema in one step only, and required ones among them that clients can write', () => {
  assert.deepEqual(steps({ step: 'who' }), ['forms.onboarding.steps.0.fields'])
  assert.deepEqual(steps({ step: 'who', fields: ['c', 'a', 'a'] }), [
    'forms.onboarding.steps.0.fields.0',
    'forms.onboarding.steps.0.fields.2',
  ])
  assert.deepEqual(steps({ step: 'who', fields: ['b'], required: ['a', 'b'] }), [
    'forms.onboarding.steps.0.required.0',
    'forms.onboarding.steps.0.required.1',
  ])
  assert.deepEqual(steps({ step: 'one', fields: ['note'] }), ['forms.onboarding.steps.0.fields.0'])
  // A name that no text can show.
  const nameless = { step: Object.create(null), fields: ['a'] }
  assert.deepEqual(steps(nameless, { step: 'who', fields: ['a'] }), [
    'forms.onboarding.steps.0.step',
    'forms.onboarding.steps.1.fields.0',
  ])
  const twice = { onboarding: { steps: [1, 2].map((index) => ({ step: `s${index}`, fields: ['a'] })) } }
  assert.deepEqual(problemsOf({ components, forms: twice }), {
    'forms.onboarding.steps.1.fields.0': '"a" is in step "s1" already; a field can be in one step only, so remove one',
  })
})

test('allows either fields or steps, and in a step either fields or an address to verify', () => {
  const both = { fields: ['a'], steps: [{ step: 'who', fields: ['a'] }] }
  assert.deepEqual(forms({ onboarding: both }), ['forms.onboarding.steps'])
  assert.deepEqual(forms({ onboarding: { required: [], steps: both.steps } }), ['forms.onboarding.steps'])
  for (const verify of ['fax', '', 1, null, {}, ['email']]) {
    assert.deepEqual(steps({ step: 'mail', verify }), ['forms.onboarding.steps.0.verify'])
  }
  assert.deepEqual(steps({ step: 'mail', verify: 'phone', fields: [] }), ['forms.onboarding.steps.0.verify'])
  assert.deepEqual(steps({ step: 'mail', verify: 'phone', required: [] }), ['forms.onboarding.steps.0.verify'])
})

test('allows prompt on one form, and with it the days until the form is named again', () => {
  const fields = ['a']
  const prompted = { promptAgainDays: 30, prompt: 'signIn', steps: [{ step: 'who', fields }] }
  const { forms: published } = defined({ components, forms: { signUp: { fields }, onboarding: prompted } })
  assert.deepEqual(Object.keys(published['onboarding']!), ['steps', 'prompt', 'promptAgainDays'])
  assert.deepEqual(published['onboarding'], prompted)
  for (const promptAgainDays of [0, 3650]) {
    defined({ components, forms: { signUp: { fields, prompt: 'signIn', promptAgainDays } } })
  }
  for (const prompt of ['signUp', '', true, null, ['signIn']]) {
    assert.deepEqual(forms({ onboarding: { fields, prompt } }), ['forms.onboarding.prompt'])
  }
  for (const promptAgainDays of [-1, 3651, 0.5, '7', null, [], Number.NaN]) {
    const form = { fields, prompt: 'signIn', promptAgainDays }
    assert.deepEqual(forms({ onboarding: form }), ['forms.onboarding.promptAgainDays'])
  }
  assert.deepEqual(forms({ onboarding: { fields, promptAgainDays: 7 } }), ['forms.onboarding.promptAgainDays'])
  const two = { first: prompted, second: { fields, prompt: 'signIn' }, third: { fields, prompt: 'signIn' } }
  assert.deepEqual(problemsOf({ components, forms: two }), {
    'forms.second.prompt': 'form "first" has "prompt" already; only one form of a schema can have it',
    'forms.third.prompt': 'form "first" has "prompt" already; only one form of a schema can have it',
  })
})

test('checks visibleWhen of a step like the conditions of components', () => {
  const visibleWhen = (condition: unknown, more: object = {}) =>
    steps({ step: 'who', fields: ['a'], visibleWhen: condition, ...more })
  const published = defined({
    components,
    forms: { onboarding: { steps: [{ step: 'mail', visibleWhen: { is: 'x', field: 'a' }, verify: 'email' }] } },
  })
  assert.deepEqual(published.forms['onboarding']!.steps, [
    { step: 'mail', verify: 'email', visibleWhen: { field: 'a', is: 'x' } },
  ])
  const path = 'forms.onboarding.steps.0.visibleWhen'
  for (const condition of [null, 1, 'a', []]) assert.deepEqual(visibleWhen(condition), [path])
  assert.deepEqual(visibleWhen({ field: 'nope', is: 'x' }), [`${path}.field`])
  assert.deepEqual(visibleWhen({ field: 'note', is: 'x' }), [`${path}.field`])
  const sensitive = [...components, { name: 'secret', type: 'text', sensitive: true }]
  const form = { steps: [{ step: 'who', fields: ['a'], visibleWhen: { field: 'secret', set: true } }] }
  assert.deepEqual(Object.keys(problemsOf({ components: sensitive, forms: { onboarding: form } })), [`${path}.field`])
})

test('counts comparisons of steps with those of components', () => {
  const any = Array.from({ length: 20 }, () => ({ field: 'a', is: 'x' }))
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ step: `s${index}`, fields: [], visibleWhen: { any } }))
  const lists = { one: { steps: named(20) }, two: { steps: named(5) } }
  defined({ components, forms: lists })
  const [a, ...rest] = components
  const asking = [{ ...a, requiredWhen: { field: 'b', set: true } }, ...rest]
  assert.deepEqual(Object.keys(problemsOf({ components: asking, forms: lists })), [
    'forms.two.steps.4.visibleWhen.any.19',
  ])
})

test('refuses steps for the sign-up form, because a sign-up is one request', () => {
  assert.deepEqual(forms({ signUp: { steps: [{ step: 'who', fields: ['a'] }] } }), ['forms.signUp.steps'])
})
