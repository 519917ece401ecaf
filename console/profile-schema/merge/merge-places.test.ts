import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Edit } from '../editing.ts'
import { base, merge } from './merges.testkit.ts'

const steps = (...fields: readonly (readonly string[])[]): Edit => ({
  do: 'setForms',
  forms: {
    ...base.forms,
    later: { steps: fields.map((names, index) => ({ step: ['one', 'two', 'three'][index]!, fields: [...names] })) },
  },
})

test('a section of another name with the same fields was renamed', () => {
  const merged = merge(
    [
      { do: 'changeSection', key: 'about', patch: { title: 'You' } },
      { do: 'addField', type: 'text', name: 'x', section: 'about' },
    ],
    [{ do: 'changeSection', key: 'about', patch: { section: 'person' } }],
  )
  assert.deepEqual(merged.parts, [])
  assert.deepEqual(merged.presentation[0], { section: 'person', title: 'You', fields: ['first', 'last', 'x'] })
  assert.equal(merged.presentation.length, 2)
})

test('a section that one removed and the other changed is a conflict', () => {
  const remove: Edit = { do: 'removeSection', key: 'more' }
  const merged = merge([remove], [{ do: 'changeSection', key: 'more', patch: { title: 'More' } }])
  assert.deepEqual(merged.parts, ['section More: removed'])
  assert.deepEqual(
    merged.presentation.map(({ fields }) => fields),
    [['first', 'last', 'kind', 'vat']],
  )
  const kept = merge([remove], [{ do: 'changeSection', key: 'more', patch: { title: 'More' } }], {
    [merged.conflicts[0]!.id]: 'theirs',
  })
  assert.deepEqual(
    kept.presentation.map(({ fields }) => fields),
    [
      ['first', 'last'],
      ['kind', 'vat'],
    ],
  )
})

test('order changes merge, and a field that both moved into different sections is asked about', () => {
  const move = (key: string, from: string, section: string, index: number): Edit => ({
    do: 'moveField',
    key,
    from,
    to: { section, index },
  })
  const merged = merge(
    [move('last', 'about', 'about', 0)],
    [move('vat', 'more', 'more', 0), { do: 'moveSection', key: 'more', index: 0 }],
  )
  assert.deepEqual(merged.parts, [])
  assert.deepEqual(
    merged.presentation.map(({ section, fields }) => [section, fields]),
    [
      ['more', ['vat', 'kind']],
      ['about', ['last', 'first']],
    ],
  )
})

test('a field that both put into different steps ends in exactly one', () => {
  const [mine, theirs] = [steps(['vat'], ['kind', 'last'], []), steps(['vat'], ['kind'], ['last'])]
  const merged = merge([mine], [theirs])
  const shown = ({ forms }: typeof merged) => forms['later']?.steps?.map(({ fields }) => fields)
  assert.deepEqual(merged.parts, ['field Last name: step in =later'])
  assert.deepEqual(shown(merged), [['vat'], ['kind', 'last'], []])
  assert.deepEqual(shown(merge([mine], [theirs], { [merged.conflicts[0]!.id]: 'theirs' })), [
    ['vat'],
    ['kind'],
    ['last'],
  ])
  const apart = merge([mine], [steps(['last', 'vat'], ['kind'], [])])
  assert.deepEqual([apart.parts, shown(apart)], [[], [['vat'], ['kind', 'last'], []]])
})

test('a field that one moved to another step is required as the other says', () => {
  const later = (one: object, two: object): Edit => ({
    do: 'setForms',
    forms: {
      ...base.forms,
      later: {
        steps: [
          { step: 'one', ...one },
          { step: 'two', ...two },
          { step: 'three', fields: [] },
        ],
      },
    },
  })
  const move = later({ fields: ['vat'] }, { fields: ['kind', 'last'] })
  const require = later({ fields: ['vat', 'last'], required: ['last'] }, { fields: ['kind'] })
  for (const { parts, forms } of [merge([move], [require]), merge([require], [move])]) {
    assert.deepEqual(parts, [])
    assert.deepEqual(forms['later']?.steps?.[1], { step: 'two', fields: ['kind', 'last'], required: ['last'] })
  }
})
