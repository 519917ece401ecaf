import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileForm, StoredProfileSchema } from './draft.ts'
import { draftOf } from './draft.ts'
import { type Edit, type Editing, reduceEditing, startEditing } from './editing.ts'

const signUp: ProfileForm = { fields: ['first'] }
const base: StoredProfileSchema = {
  version: '4',
  components: [
    { name: 'first', type: 'text' },
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }] },
  ],
  presentation: [],
  forms: { signUp, later: { fields: ['kind'] } },
  migrations: [],
}

const after = (...edits: readonly Edit[]): Editing => edits.reduce(reduceEditing, startEditing(base))
const undone = (editing: Editing) => reduceEditing(editing, { do: 'undo' }).draft

const form = (title: string): Edit => ({ do: 'setForms', forms: { signUp, later: { title, fields: ['kind'] } } })
const step = (field: string): Edit => ({ do: 'setMigrations', migrations: [{ drop: field }] })
const options = (...values: string[]): Edit => ({
  ...{ do: 'changeField', key: 'kind', patch: { options: values.map((value) => ({ value, label: 'New' })) } },
})

test('what was typed into one input is undone at once, wherever the input is', () => {
  const rule = (minLength: number): Edit => ({ do: 'changeField', key: 'first', patch: { rules: { minLength } } })
  const french = (fr: string): Edit => ({ do: 'changeField', key: 'first', patch: { label: { default: '', fr } } })
  assert.equal(after(form('M'), form('Mo'), form('More')).past.length, 1)
  assert.equal(after(step(''), step('f'), step('fax')).past.length, 2)
  // With `1.` between the two.
  assert.equal(after(rule(1), rule(1), rule(1.5)).past.length, 1)
  assert.equal(after(french('P'), french('Prénom')).past.length, 1)
})

test('what was typed before another act is not undone with that act', () => {
  const removal: Edit = { do: 'setForms', forms: { signUp } }
  for (const [typed, act] of [
    [form('More'), removal],
    [options('person', 'firm'), options('person')],
    [step('fax'), { do: 'setMigrations', migrations: [] }],
  ] satisfies readonly [Edit, Edit][]) {
    assert.deepEqual(undone(after(typed, act)), after(typed).draft)
  }
})

test('the text of the JSON view comes back after a draft was started from another version', () => {
  const typed = draftOf({ components: base.components.slice(0, 1) })
  const other = draftOf({ components: base.components.slice(1) })
  const editing = after({ do: 'replace', draft: typed }, { do: 'startFrom', draft: other })
  assert.deepEqual([editing.draft, undone(editing)], [other, typed])
})
