import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { migrateProfile } from '../../server/profiles/migrations/migrate-profile.ts'
import { defineProfileSchema } from '../../server/profiles/schema/define/define-profile-schema.ts'
import { documentOf, draftOf, groupsOf, type StoredProfileSchema } from './draft.ts'
import { type Edit, type Editing, isChanged, reduceEditing, startEditing } from './editing.ts'

const base = {
  version: '4',
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }] },
    { name: 'first', type: 'text', label: 'First name' },
    { name: 'last', type: 'text', requiredWhen: { field: 'kind', is: 'person' } },
    {
      ...{ name: 'vat', type: 'text', rules: { maxLength: 20, pattern: '^[A-Z]+$' } },
      visibleWhen: { all: [{ field: 'kind', is: 'firm' }, { not: { field: 'last', set: true } }] },
    },
    { name: 'age', type: 'integer', rules: { min: 0 }, searchable: true },
    { name: 'note', type: 'multiline', readable: false, writable: false },
  ],
  presentation: [
    { section: 'about', title: 'About you', fields: ['first', 'last'] },
    { section: 'more', fields: ['kind', 'vat'] },
  ],
  forms: {
    signUp: { fields: ['first', 'kind'], required: ['first'] },
    later: { steps: [{ step: 'one', fields: ['vat'], visibleWhen: { field: 'kind', is: 'firm' } }] },
  },
  migrations: [{ drop: 'fax' }],
} as const satisfies StoredProfileSchema | object as unknown as StoredProfileSchema

const after = (...edits: readonly Parameters<typeof reduceEditing>[1][]): Editing =>
  edits.reduce(reduceEditing, startEditing(base))
const namesOf = ({ draft }: Editing) => groupsOf(draft).map(({ fields }) => fields.map(({ name }) => name))
const fieldNamed = ({ draft }: Editing, name: string) => draft.fields.find((field) => field.name === name)

/** The document as the server would store it; fails if the server refuses it. */
function accepted({ draft }: Editing): StoredProfileSchema {
  const defined = defineProfileSchema(documentOf(draft))
  if ('validation' in defined) assert.fail(JSON.stringify(defined.validation))
  return defined.schema as StoredProfileSchema
}

test('continues the published version, without its name and migrations', () => {
  const editing = after()
  const { version: _version, migrations: _migrations, ...content } = base
  assert.deepEqual(documentOf(editing.draft), { ...content, migrations: [] })
  assert.equal(isChanged(editing), false)
  assert.deepEqual(namesOf(editing), [
    ['first', 'last'],
    ['kind', 'vat'],
    ['age', 'note'],
  ])
})

test('renames a field wherever the schema names it, and the stored values', () => {
  const editing = after({ do: 'renameField', key: 'kind', name: 'customer' })
  const { components, presentation, forms, migrations } = accepted(editing)
  assert.equal(JSON.stringify({ components, presentation, forms }).includes('"kind"'), false)
  assert.deepEqual(migrations, [{ rename: { from: 'kind', to: 'customer' } }])
  const back = reduceEditing(editing, { do: 'renameField', key: 'kind', name: 'kind' })
  assert.equal(isChanged(back), false)
})

test('removes a field with the conditions that read it, and deletes or archives its values', () => {
  const dropped = accepted(after({ do: 'removeField', key: 'kind', drop: true }))
  assert.deepEqual(dropped.migrations, [{ drop: 'kind' }])
  assert.equal(JSON.stringify({ ...dropped, migrations: [] }).includes('"kind"'), false)
  const vat = dropped.components.find(({ name }) => name === 'vat')
  assert.deepEqual(vat?.visibleWhen, { all: [{ not: { field: 'last', set: true } }] })
  assert.deepEqual(accepted(after({ do: 'removeField', key: 'kind', drop: false })).migrations, [])
  const added: Edit = { do: 'addField', type: 'text', name: 'fresh', section: null }
  const [field] = after(added).draft.fields.slice(-1)
  assert.deepEqual(accepted(after(added, { do: 'removeField', key: field!.key, drop: true })).migrations, [])
})

test('deletes the values of a removed field after the steps that read them', () => {
  const join = { join: { from: ['first', 'last'], separator: ' ', to: 'note' } }
  const editing = after({ do: 'setMigrations', migrations: [join] }, { do: 'removeField', key: 'first', drop: true })
  assert.deepEqual(accepted(editing).migrations, [join, { drop: 'first' }])
  const without = reduceEditing(editing, { do: 'removeField', key: 'note', drop: false })
  assert.deepEqual(without.draft.migrations, [{ drop: 'first' }])
})

test('casts stored values to a new type, and keeps what the type has too', () => {
  const editing = after({ do: 'retypeField', key: 'age', type: 'text' })
  assert.deepEqual(fieldNamed(editing, 'age'), { key: 'age', name: 'age', type: 'text', searchable: true })
  assert.deepEqual(accepted(editing).migrations, [{ cast: { field: 'age', to: 'text' } }])
  const back = reduceEditing(editing, { do: 'retypeField', key: 'age', type: 'integer' })
  assert.deepEqual(accepted(back).migrations, [])
  const chosen = accepted(after({ do: 'retypeField', key: 'first', type: 'select' }))
  assert.deepEqual(
    chosen.components.find(({ name }) => name === 'first'),
    {
      ...{ name: 'first', type: 'select', label: 'First name', options: [{ value: 'one', label: 'One' }] },
    },
  )
})

test('moves stored choices to the new value of an option', () => {
  const rename = (index: number, value: string): Edit => ({ do: 'renameOption', key: 'kind', index, value })
  const editing = after(rename(1, 'company'), rename(1, 'business'), { do: 'renameField', key: 'kind', name: 'who' })
  assert.deepEqual(accepted(editing).migrations, [
    { rename: { from: 'kind', to: 'who' } },
    { map: { field: 'who', values: { firm: 'business' } } },
  ])
  assert.deepEqual(editing.draft.forms['later']?.steps?.[0]?.visibleWhen, { field: 'who', is: 'business' })
  assert.deepEqual(after(rename(1, 'company'), rename(1, 'firm')).draft.migrations, [])
  const options = [{ value: 'person' }, { value: 'company' }, { value: 'firm' }]
  const added: Edit = { do: 'changeField', key: 'kind', patch: { options } }
  assert.deepEqual(accepted(after(rename(1, 'company'), added, rename(2, 'society'))).migrations, [
    { map: { field: 'kind', values: { firm: 'company' } } },
  ])
  const map = { map: { field: 'kind', values: { shop: 'firm', pub: 'firm' } } }
  assert.deepEqual(accepted(after({ do: 'setMigrations', migrations: [map] }, rename(1, 'company'))).migrations, [
    { map: { field: 'kind', values: { shop: 'company', pub: 'company', firm: 'company' } } },
  ])
})

test('moves fields within and between sections, in one order for components and sections', () => {
  const moved = after({ do: 'moveField', key: 'vat', from: 'more', to: { section: 'about', index: 1 } })
  assert.deepEqual(namesOf(moved), [['first', 'vat', 'last'], ['kind'], ['age', 'note']])
  assert.deepEqual(
    moved.draft.fields.map(({ name }) => name),
    ['first', 'vat', 'last', 'kind', 'age', 'note'],
  )
  const out = reduceEditing(moved, { do: 'moveField', key: 'first', from: 'about', to: { section: null, index: 1 } })
  assert.deepEqual(namesOf(out), [['vat', 'last'], ['kind'], ['age', 'first', 'note']])
  const note: Edit = { do: 'moveField', key: 'note', from: null, to: { section: 'about', index: 0 } }
  assert.deepEqual(namesOf(after(note)), namesOf(after()), 'a page cannot show the operator’s notes')
  accepted(out)
})

test('adds, moves and removes sections without losing fields', () => {
  const editing = after({ do: 'addSection', title: 'Étage 2: more' }, { do: 'moveSection', key: 'more', index: 0 })
  assert.deepEqual(
    editing.draft.sections.map(({ section }) => section),
    ['more', 'about', 'etage2More'],
  )
  const removed = reduceEditing(editing, { do: 'removeSection', key: 'more' })
  assert.deepEqual(namesOf(removed), [['first', 'last', 'kind', 'vat'], [], ['age', 'note']])
  const none = ['about', 'etage2More'].reduce(
    (state, key) => reduceEditing(state, { do: 'removeSection', key }),
    removed,
  )
  const first = reduceEditing(none, { do: 'addSection', title: 'All' })
  assert.deepEqual(namesOf(first), [['first', 'last', 'kind', 'vat', 'age'], ['note']])
  for (const state of [editing, removed, none, first]) accepted(state)
})

test('a field that becomes the operator’s note leaves sections and forms', () => {
  const editing = after({ do: 'changeField', key: 'first', patch: { readable: false, writable: false } })
  assert.deepEqual(namesOf(editing)[0], ['last'])
  assert.deepEqual(accepted(editing).forms['signUp'], { fields: ['kind'], required: [] })
})

test('undoes what was typed into one input at once, and redoes it', () => {
  const type = (label: string): Edit => ({ do: 'changeField', key: 'first', patch: { label } })
  const editing = after(type('G'), type('Gi'), type('Given name'), { do: 'removeField', key: 'age', drop: false })
  assert.equal(editing.past.length, 2)
  const undone = [editing].map((state) => reduceEditing(reduceEditing(state, { do: 'undo' }), { do: 'undo' }))[0]!
  assert.equal(isChanged(undone), false)
  const redone = reduceEditing(undone, { do: 'redo' })
  assert.equal(fieldNamed(redone, 'first')?.label, 'Given name')
  assert.equal(isChanged(reduceEditing(redone, { do: 'discard' })), false)
})

test('follows another published version, and keeps what was edited for Undo', () => {
  const theirs = { ...base, version: '5', components: base.components.slice(0, 1), presentation: [], forms: {} }
  const followed = after({ do: 'rebase', base: theirs })
  assert.deepEqual([followed.past, isChanged(followed), namesOf(followed)], [[], false, [['kind']]])
  const mine = after({ do: 'renameField', key: 'last', name: 'family' }, { do: 'rebase', base: theirs })
  assert.equal(isChanged(mine), false)
  assert.equal(fieldNamed(reduceEditing(mine, { do: 'undo' }), 'family')?.key, 'last')
})

test('opens a field that is added or duplicated, under a name that is free', () => {
  const editing = after({ do: 'addField', type: 'select', name: 'first', section: 'more' })
  const added = editing.draft.fields.find(({ key }) => key === editing.open)
  assert.deepEqual([added?.name, added?.type], ['first2', 'select'])
  const copy = reduceEditing(editing, { do: 'duplicateField', key: editing.open!, section: 'more' })
  assert.deepEqual(namesOf(copy)[1], ['kind', 'vat', 'first2', 'first3'])
  accepted(copy)
})

test('goes through JSON and back unchanged, with the same keys', () => {
  const { draft } = after({ do: 'renameField', key: 'first', name: 'given' })
  const read = draftOf(JSON.parse(JSON.stringify(documentOf(draft))), draft)
  assert.deepEqual(read, draft)
})

const names = ['first', 'last', 'vat', 'free', 'other']
const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    do: fc.constant('renameField' as const),
    key: fc.constantFrom('first', 'last', 'vat'),
    name: fc.constantFrom(...names),
  }),
  fc.record({
    do: fc.constant('removeField' as const),
    key: fc.constantFrom('first', 'last', 'vat', 'free+'),
    drop: fc.boolean(),
  }),
  fc.constant<Edit>({ do: 'addField', type: 'text', name: 'free', section: 'about' }),
  fc.constant<Edit>({ do: 'moveField', key: 'last', from: 'about', to: { section: 'more', index: 0 } }),
)

test('whatever is renamed, swapped, removed and added: the server moves each value to its field', () => {
  fc.assert(
    fc.property(fc.array(anEdit, { maxLength: 12 }), (edits) => {
      let state = startEditing(base)
      const dropped = new Set<string>()
      for (const edit of edits) {
        const isTaken = edit.do === 'renameField' && state.draft.fields.some(({ name }) => name === edit.name)
        if (isTaken) continue
        if (edit.do === 'removeField' && state.draft.fields.some(({ key }) => key === edit.key) && edit.drop)
          dropped.add(edit.key)
        state = reduceEditing(state, edit)
      }
      const schema = accepted(state)
      const values = { first: 'FIRST', last: 'LAST', vat: 'VAT' }
      const migrated = migrateProfile(values, [schema.migrations])
      for (const { key, name } of state.draft.fields) {
        if (key in values) assert.equal(migrated[name], values[key as 'vat'], `${name} of ${key}`)
      }
      for (const key of dropped) {
        const value = values[key as 'vat'] as string | undefined
        if (value !== undefined) assert.equal(Object.values(migrated).includes(value), false, `${key} is deleted`)
      }
    }),
    { numRuns: 2000 },
  )
})

test('undoes a merge with the version that it continued', () => {
  const theirs: StoredProfileSchema = { ...base, version: '5', components: [base.components[0]!] }
  const editing = after({ do: 'changeField', key: 'first', patch: { label: 'Given name' } })
  const merged = reduceEditing(editing, { do: 'adopt', base: theirs, draft: editing.draft })
  assert.deepEqual([merged.base.version, merged.draft], ['5', editing.draft])
  const undone = reduceEditing(merged, { do: 'undo' })
  assert.deepEqual([undone.base.version, undone.draft], ['4', editing.draft])
  const redone = reduceEditing(undone, { do: 'redo' })
  assert.deepEqual([redone.base.version, redone.draft], ['5', editing.draft])
  const shown = reduceEditing(editing, { do: 'adopt', base: theirs })
  assert.deepEqual([isChanged(shown), namesOf(shown).flat()], [false, ['kind']])
})
