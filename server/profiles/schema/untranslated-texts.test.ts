import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from './schema.testkit.ts'
import { untranslatedTexts } from './untranslated-texts.ts'

test('names the texts that lack a language of another text', () => {
  const schema = defined({
    components: [
      { name: 'nick', type: 'text', label: 'Nickname', placeholder: { default: 'Nick', fr: 'Surnom', 'de-AT': 'x' } },
      {
        name: 'plan',
        type: 'select',
        description: { default: 'Plan', FR: 'Offre', de: 'Tarif' },
        options: [{ value: 'a', label: 'A' }, { value: 'b' }],
      },
    ],
    presentation: [{ section: 'all', title: 'All', fields: ['nick'] }],
    forms: {
      edit: { description: { default: 'Edit', de: 'Ändern' }, steps: [{ step: 'one', title: 'One', fields: [] }] },
    },
  })
  const everywhere = ['components.nick.label']
  const plain = ['components.plan.options.0.label', 'presentation.0.title']
  const step = 'forms.edit.steps.0.title'
  assert.deepEqual(untranslatedTexts(schema), {
    FR: [...everywhere, ...plain, 'forms.edit.description', step],
    'de-AT': [...everywhere, ...plain, step],
    de: [...everywhere, 'components.nick.placeholder', ...plain, step],
  })
})

test('names nothing when texts have no languages, or all of them', () => {
  assert.deepEqual(untranslatedTexts(defined({ components: [{ name: 'a', type: 'text', label: 'A' }] })), {})
  const label = { default: 'A', fr: 'A', de: 'A' }
  assert.deepEqual(untranslatedTexts(defined({ components: [{ name: 'a', type: 'text', label }] })), {})
})

test('names a bounded number of texts', () => {
  const label = (index: number) =>
    Object.fromEntries([
      ['default', 'x'],
      [`a${index}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!), 'x'],
    ])
  const components = Array.from({ length: 200 }, (_, index) => ({
    name: `f${index}`,
    type: 'text',
    label: label(index),
  }))
  const named = Object.values(untranslatedTexts(defined({ components }))).flat()
  assert.equal(named.length, 10_000)
})
