import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineProfileSchema } from '../../../server/profiles/schema/define/define-profile-schema.ts'
import { type Draft, type DraftField, documentOf, type StoredProfileSchema } from '../draft.ts'
import { type Edit, reduceEditing, startEditing } from '../editing.ts'
import { mergeDrafts } from './merge-drafts.ts'
import { base, draft, merge, published } from './merges.testkit.ts'

const options = [{ value: 'person' }, { value: 'firm' }]

const label = (key: string, text: string): Edit => ({ do: 'changeField', key, patch: { label: text } })
test('changes of different fields, options, languages, sections and forms merge without a question', () => {
  const mine: readonly Edit[] = [
    label('last', 'Family name'),
    { do: 'changeField', key: 'kind', patch: { options: [{ value: 'person', label: 'A person' }, { value: 'firm' }] } },
    { do: 'changeField', key: 'first', patch: { label: { default: 'First name', fr: 'Prénom', de: 'Vorname' } } },
    { do: 'changeSection', key: 'about', patch: { title: 'You' } },
    { do: 'setForms', forms: { ...base.forms, signUp: { fields: ['first', 'last'], required: ['first'] } } },
    { do: 'addField', type: 'text', name: 'mine', section: 'about' },
  ]
  const theirs: readonly Edit[] = [
    { do: 'changeField', key: 'last', patch: { required: true } },
    { do: 'changeField', key: 'kind', patch: { options: [...options, { value: 'club' }] } },
    { do: 'changeField', key: 'first', patch: { label: { default: 'Given name', fr: 'Prénom' } } },
    { do: 'changeSection', key: 'more', patch: { title: 'More' } },
    { do: 'setForms', forms: { ...base.forms, signUp: { fields: ['first', 'kind'], required: ['first', 'kind'] } } },
    { do: 'addField', type: 'date', name: 'theirs', section: 'more' },
  ]
  const merged = merge(mine, theirs)
  assert.deepEqual([merged.parts, merged.notices], [[], []])
  assert.deepEqual(merged.field('last'), { name: 'last', type: 'text', label: 'Family name', required: true })
  assert.deepEqual(merged.field('kind'), {
    ...{ name: 'kind', type: 'select' },
    options: [{ value: 'person', label: 'A person' }, { value: 'firm' }, { value: 'club' }],
  })
  assert.deepEqual(merged.field('first')?.label, { default: 'Given name', fr: 'Prénom', de: 'Vorname' })
  assert.deepEqual(merged.presentation, [
    { section: 'about', title: 'You', fields: ['first', 'last', 'mine'] },
    { section: 'more', title: 'More', fields: ['kind', 'vat', 'theirs'] },
  ])
  assert.deepEqual(merged.forms['signUp'], { fields: ['first', 'last', 'kind'], required: ['first', 'kind'] })
})

test('lists what both changed to different values, in the same order, and takes the chosen one', () => {
  const mine = [label('last', 'Family name'), label('first', 'Forename')]
  const theirs = [label('last', 'Surname'), label('first', 'Given name')]
  const undecided = merge(mine, theirs)
  assert.deepEqual(undecided.parts, ['field Forename: label', 'field Family name: label'])
  assert.equal(undecided.field('last')?.label, 'Family name')
  const [, last] = undecided.conflicts
  assert.deepEqual([last!.mine, last!.theirs], ['Family name', 'Surname'])
  const decided = merge(mine, theirs, { [last!.id]: 'theirs' })
  assert.deepEqual([decided.field('first')?.label, decided.field('last')?.label], ['Forename', 'Surname'])
  assert.deepEqual(decided.parts, undecided.parts)
})

test('does not ask about a change that both made', () => {
  assert.deepEqual(merge([label('last', 'Surname')], [label('last', 'Surname')]).parts, [])
})

test('a field that one removed and the other changed is a conflict, an unchanged one is removed', () => {
  const remove: Edit = { do: 'removeField', key: 'last', drop: true }
  const merged = merge([remove], [])
  assert.deepEqual([merged.names, merged.migrations], [['kind', 'first', 'vat'], [{ drop: 'last' }]])
  const conflicting = merge([remove], [label('last', 'Surname')])
  assert.deepEqual(conflicting.parts, ['field Surname: removed'])
  assert.equal(conflicting.field('last'), undefined)
  const kept = merge([remove], [label('last', 'Surname')], { [conflicting.conflicts[0]!.id]: 'theirs' })
  assert.deepEqual(
    [kept.field('last')?.label, kept.presentation[0]?.fields, kept.migrations],
    ['Surname', ['first', 'last'], []],
  )
  const mine = merge([label('last', 'Surname')], [remove])
  assert.deepEqual([mine.parts, mine.field('last')?.label], [['field Surname: removed'], 'Surname'])
  assert.deepEqual(mine.presentation[0]?.fields, ['first', 'last'])
})

test('a field that is kept although one removed it is kept in the conditions of others', () => {
  const remove: Edit = { do: 'removeField', key: 'kind', drop: true }
  const sides = [[label('kind', 'Account')], [remove]] as const
  const condition = { field: 'kind', is: 'firm' }
  const mine = merge(sides[0], sides[1])
  assert.deepEqual(mine.parts, ['field Account: removed'])
  assert.deepEqual([mine.field('vat')?.visibleWhen, mine.notices], [condition, []])
  const { id } = mine.conflicts[0]!
  const removed = merge(sides[0], sides[1], { [id]: 'theirs' })
  assert.deepEqual([removed.field('vat')?.visibleWhen, removed.notices], [undefined, []])
  const theirs = merge(sides[1], sides[0], { [id]: 'theirs' })
  assert.deepEqual([theirs.field('vat')?.visibleWhen, theirs.notices], [condition, []])
})

test('a field that is kept although one removed it is kept in the conditions of options and steps', () => {
  const condition = { field: 'kind', is: 'firm' } as const
  const conditional: readonly Edit[] = [
    { do: 'retypeField', key: 'last', type: 'select' },
    { do: 'changeField', key: 'last', patch: { options: [{ value: 'a' }, { value: 'b', when: condition }] } },
    { do: 'setForms', forms: { later: { steps: [{ step: 'firms', fields: ['vat'], visibleWhen: condition }] } } },
  ]
  const from = published(...conditional)
  const change = (edit: Edit): Draft => reduceEditing(startEditing(from), edit).draft
  const labelled = change(label('kind', 'Account'))
  const without = change({ do: 'removeField', key: 'kind', drop: true })
  const after = (draft: Draft) => ({ ...from, ...documentOf(draft), version: '6' }) as StoredProfileSchema
  const kept = mergeDrafts({ base: from, mine: labelled, theirs: after(without) })
  const conditionsOf = ({ draft }: typeof kept) => [
    draft.fields.find(({ name }) => name === 'last')?.options?.[1]?.when,
    draft.forms['later']?.steps?.[0]?.visibleWhen,
  ]
  assert.deepEqual([conditionsOf(kept), kept.notices], [[condition, condition], []])
  const choices = { [kept.conflicts[0]!.id]: 'theirs' } as const
  const removed = mergeDrafts({ base: from, mine: labelled, theirs: after(without), choices })
  assert.deepEqual([conditionsOf(removed), removed.notices], [[undefined, undefined], []])
  const returned = mergeDrafts({ base: from, mine: without, theirs: after(labelled), choices })
  assert.deepEqual([conditionsOf(returned), returned.notices], [[condition, condition], []])
})

test('a field that only theirs uses in a new condition is not removed without a question', () => {
  const reads: Edit = { do: 'changeField', key: 'first', patch: { requiredWhen: { field: 'last', set: true } } }
  assert.deepEqual(merge([{ do: 'removeField', key: 'last', drop: false }], [reads]).parts, [
    'field Last name: removed',
  ])
})

test('fields that either of them renamed are the same fields', () => {
  const merged = merge(
    [
      { do: 'renameField', key: 'last', name: 'family' },
      { do: 'addField', type: 'text', name: 'x', section: 'about' },
    ],
    [{ do: 'renameField', key: 'kind', name: 'customer' }, label('last', 'Surname')],
  )
  assert.deepEqual(merged.parts, [])
  assert.deepEqual(merged.field('family')?.label, 'Surname')
  assert.deepEqual(merged.field('vat')?.visibleWhen, { field: 'customer', is: 'firm' })
  // Their version has moved the values of its field already.
  assert.deepEqual(merged.migrations, [{ rename: { from: 'last', to: 'family' } }])
  const both = merge(
    [{ do: 'renameField', key: 'last', name: 'family' }],
    [{ do: 'renameField', key: 'last', name: 'surname' }],
  )
  assert.deepEqual(both.parts, ['field Last name: name'])
  assert.deepEqual(both.migrations, [{ rename: { from: 'surname', to: 'family' } }])
})

test('an option that mine renamed is renamed in a condition that theirs added', () => {
  const merged = merge(
    [{ do: 'renameOption', key: 'kind', index: 1, value: 'company' }],
    [{ do: 'changeField', key: 'last', patch: { requiredWhen: { field: 'kind', is: 'firm' } } }],
  )
  assert.deepEqual([merged.parts, merged.notices], [[], []])
  assert.deepEqual(merged.field('last')?.requiredWhen, { field: 'kind', is: 'company' })
  assert.deepEqual(merged.migrations, [{ map: { field: 'kind', values: { firm: 'company' } } }])
})

test('two new fields of one name: theirs keeps it, because it is published', () => {
  const merged = merge(
    [{ do: 'renameField', key: 'last', name: 'city' }],
    [{ do: 'addField', type: 'text', name: 'city', section: 'more' }],
  )
  assert.deepEqual(
    [merged.names, merged.migrations],
    [['first', 'city2', 'kind', 'vat', 'city'], [{ rename: { from: 'last', to: 'city2' } }]],
  )
})

test('what no longer fits is left out of conditions and migrations, and named', () => {
  const merged = merge(
    [{ do: 'changeField', key: 'last', patch: { requiredWhen: { field: 'kind', is: 'firm' } } }],
    [
      { do: 'changeField', key: 'kind', patch: { sensitive: true } },
      { do: 'changeField', key: 'vat', patch: { sensitive: true } },
    ],
  )
  assert.deepEqual([merged.parts, merged.field('last')?.requiredWhen], [[], undefined])
  assert.deepEqual(merged.notices, ['Left out of a condition of “last”: what it compares is gone or has other values.'])
  const cycle = merge(
    [{ do: 'changeField', key: 'first', patch: { visibleWhen: { field: 'last', set: true } } }],
    [{ do: 'changeField', key: 'last', patch: { visibleWhen: { field: 'first', set: true } } }],
  )
  assert.deepEqual([cycle.field('first')?.visibleWhen, cycle.notices.length], [undefined, 1])
})

test('fields keep the keys of mine, so that what is open stays open', () => {
  const mine = draft(
    { do: 'renameField', key: 'last', name: 'family' },
    { do: 'addField', type: 'text', name: 'x', section: null },
  )
  const merged = mergeDrafts({
    base,
    mine,
    theirs: published({ do: 'addField', type: 'text', name: 'y', section: null }),
  }).draft
  const keys = new Map(merged.fields.map(({ name, key }) => [name, key]))
  for (const { name, key } of mine.fields) assert.equal(keys.get(name), key)
  assert.equal(new Set(keys.values()).size, merged.fields.length)
})

test('searchable fields and claims that are too many together are those of one', () => {
  const add = (stem: string, count: number, patch: Partial<DraftField>): Edit[] =>
    Array.from({ length: count }, (_, index): readonly Edit[] => [
      { do: 'addField', type: 'text', name: `${stem}${index}x`, section: 'more' },
      { do: 'changeField', key: `${stem}${index}x+`, patch },
    ]).flat()
  const flags = { searchable: true, claim: true, claimFromUser: true }
  const few = merge(add('kept', 2, flags), add('other', 3, flags))
  assert.deepEqual(few.parts, [])
  const many = merge(add('kept', 5, flags), [...add('other', 5, flags), ...add('more', 1, { searchable: true })])
  assert.deepEqual(many.parts, ['schema searchable: searchable', 'schema claim: claim'])
  const flagged = ({ draft }: typeof many, flag: 'searchable' | 'claim' | 'claimFromUser') =>
    draft.fields.filter((field) => field[flag]).map(({ name }) => name[0])
  assert.deepEqual(flagged(many, 'searchable').join(''), 'kkkkk')
  const theirs = merge(add('kept', 5, flags), [...add('other', 5, flags), ...add('more', 1, { searchable: true })], {
    'schema searchable searchable': 'theirs',
    'schema claim claim': 'theirs',
  })
  assert.deepEqual([flagged(theirs, 'searchable').length, flagged(theirs, 'claim').length], [6, 5])
  assert.deepEqual(flagged(theirs, 'claimFromUser'), flagged(theirs, 'claim'))
  assert.ok(
    'schema' in defineProfileSchema(documentOf(theirs.draft)) &&
      'schema' in defineProfileSchema(documentOf(many.draft)),
  )
})
