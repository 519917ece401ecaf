import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from './schema.testkit.ts'

const components = [
  { name: 'a', type: 'text' },
  { name: 'b', type: 'text', writable: false },
]
const presentation = (value: unknown) => Object.keys(problemsOf({ components, presentation: value }))
const forms = (value: unknown) => Object.keys(problemsOf({ components, forms: value }))

test('requires sections with unique names and fields of the schema, each once', () => {
  defined({
    components,
    presentation: [
      { section: 'one', fields: ['a'] },
      { section: 'two', title: 'Two', fields: ['a', 'b'] },
    ],
  })
  assert.deepEqual(presentation([{ section: 'one', fields: ['a', 'c', 'a', 1] }]), [
    'presentation.0.fields.1',
    'presentation.0.fields.2',
    'presentation.0.fields.3',
  ])
  assert.deepEqual(
    presentation([
      { section: 'one', fields: [] },
      { section: 'one', fields: [] },
    ]),
    ['presentation.1.section'],
  )
  assert.deepEqual(presentation([{ section: 'One', icon: 'x' }]), [
    'presentation.0.icon',
    'presentation.0.section',
    'presentation.0.fields',
  ])
  assert.deepEqual(presentation(['one']), ['presentation.0'])
  assert.deepEqual(presentation(Array(51).fill({ section: 'x', fields: [] })), ['presentation'])
})

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
  assert.deepEqual(forms({ signUp: { fields: [], steps: 1 } }), ['forms.signUp.steps'])
  assert.deepEqual(forms([]), ['forms'])
})

test('reports the problems of a component once, not where its field is used', () => {
  const problems = problemsOf({
    components: [{ name: 'a', type: 'x' }],
    presentation: [{ section: 'one', fields: ['a'] }],
  })
  assert.deepEqual(Object.keys(problems), ['components.a.type'])
})
