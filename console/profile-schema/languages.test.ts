import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRightToLeft, languagesOf, withWording, wordingIn } from './languages.ts'

test('keeps a text short while it has one wording, and loses no language', () => {
  assert.equal(withWording(undefined, 'default', 'Name'), 'Name')
  assert.deepEqual(withWording('Name', 'fr', 'Nom'), { default: 'Name', fr: 'Nom' })
  assert.deepEqual(withWording({ default: 'Name', fr: 'Nom' }, 'default', 'Full name'), {
    default: 'Full name',
    fr: 'Nom',
  })
  assert.equal(withWording({ default: 'Name', fr: 'Nom' }, 'fr', ''), 'Name')
  assert.deepEqual(withWording({ default: 'Name', fr: 'Nom' }, 'default', ''), { default: '', fr: 'Nom' })
  assert.equal(withWording('Name', 'default', ''), undefined)
  assert.deepEqual([wordingIn({ default: 'a', fr: 'b' }, 'fr'), wordingIn('a', 'fr'), wordingIn('a')], ['b', '', 'a'])
})

test('finds the languages of all texts', () => {
  const texts = (tag: string) => ({ default: 'x', [tag]: 'y' })
  const draft = {
    fields: [
      { key: 'a', name: 'a', type: 'select' as const, label: texts('fr'), messages: { pattern: texts('de') } },
      { key: 'b', name: 'b', type: 'select' as const, options: [{ value: 'x', label: texts('ja') }] },
    ],
    sections: [{ key: 's', section: 's', title: texts('ar'), fields: [] }],
    forms: { f: { steps: [{ step: 'one', title: texts('pt-BR') }] } },
    migrations: [],
  }
  assert.deepEqual(languagesOf(draft), ['ar', 'de', 'fr', 'ja', 'pt-BR'])
})

test('knows languages that are written from right to left', () => {
  assert.deepEqual(['ar', 'he', 'fa-IR', 'ur', 'en', 'pt-BR', 'not a tag'].map(isRightToLeft), [
    ...[true, true, true, true],
    ...[false, false, false],
  ])
})
