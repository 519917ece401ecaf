import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

const components = [
  { name: 'a', type: 'text' },
  { name: 'b', type: 'text', writable: false },
]
const presentation = (value: unknown) => Object.keys(problemsOf({ components, presentation: value }))

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

test('reports the problems of a component once, not where its field is used', () => {
  const problems = problemsOf({
    components: [{ name: 'a', type: 'x' }],
    presentation: [{ section: 'one', fields: ['a'] }],
  })
  assert.deepEqual(Object.keys(problems), ['components.a.type'])
})
