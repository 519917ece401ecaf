import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocalizedText, ProfileSchema } from '../../../contract/profile-schema.ts'
import { closestLanguage, languagesOf, localizeDelta, localizeSchema } from './localize-schema.ts'
import { profileSchemaDelta } from './schema-delta.ts'

const text = (word: string): LocalizedText => ({ default: word, fr: `${word} fr`, 'fr-CA': `${word} ca` })

const schema: ProfileSchema = {
  version: '1',
  components: [
    {
      name: 'plan',
      type: 'select',
      label: text('label'),
      description: text('description'),
      placeholder: text('placeholder'),
      messages: { required: text('message') },
      options: [{ value: 'pro', label: text('option') }, { value: 'free' }],
    },
    { name: 'city', type: 'text', label: 'City' },
  ],
  presentation: [{ section: 'all', title: text('title'), description: text('section'), fields: ['city'] }],
  forms: {
    signUp: { title: text('form'), fields: ['city'] },
    onboarding: {
      description: text('forms'),
      steps: [{ step: 'one', title: text('step'), description: text('steps'), fields: ['plan'] }],
    },
  },
}

test('makes a string of every text, and changes nothing else', () => {
  const texts = /\{"default":"([a-z]+)","fr":"[a-z ]+","fr-CA":"[a-z ]+"\}/g
  const json = JSON.stringify(schema)
  assert.equal(json.match(texts)?.length, 11)
  assert.equal(JSON.stringify(localizeSchema(schema, '')), json.replace(texts, '"$1"'))
  assert.equal(JSON.stringify(localizeSchema(schema, 'fr')), json.replace(texts, '"$1 fr"'))
  assert.equal(JSON.stringify(localizeSchema(schema, 'fr-ca')), json.replace(texts, '"$1 ca"'))
  assert.equal(JSON.stringify(schema), json)
})

test('makes a string of every text of a delta, and leaves out what did not change', () => {
  const before: ProfileSchema = { ...schema, version: '0', components: [], forms: {} }
  for (const from of [before, { ...before, presentation: [] }]) {
    const expected = profileSchemaDelta(localizeSchema(from, 'fr'), localizeSchema(schema, 'fr'))
    assert.deepEqual(localizeDelta(profileSchemaDelta(from, schema), 'fr'), expected)
  }
})

/** The label that a client with this locale gets. */
function labelIn(locale: string, label: LocalizedText): unknown {
  const labelled: ProfileSchema = { ...schema, components: [{ name: 'x', type: 'text', label }] }
  return localizeSchema(labelled, closestLanguage(locale, languagesOf(labelled))).components[0]!.label
}

test('chooses the language, the next more general one, or the default', () => {
  const label = { default: 'd', FR: 'fr', 'fr-ca': 'ca', 'zh-Hant': 'zh', DEFAULT: 'no language' }
  const expected = {
    fr: ['fr', 'FR', 'fr-BE', 'fr-Latn-FR-x-any', 'Fr-x'],
    ca: ['fr-CA', 'FR-ca', 'fr-CA-x-y'],
    zh: ['zh-hant-TW', 'ZH-HANT'],
    d: ['', 'zh', 'f', 'fra', 'frr-CA', 'de', 'default', 'DEFAULT', 'default-fr', '-fr', '--', 'fr_CA', '*', 'fr;q=1'],
  }
  for (const [wording, locales] of Object.entries(expected)) {
    for (const locale of locales) assert.equal(labelIn(locale, label), wording, locale)
  }
  assert.equal(labelIn(`fr${'-a'.repeat(4_000)}`, label), 'd')
})

test('a text without the language that others have falls back by itself', () => {
  const mixed: ProfileSchema = {
    ...schema,
    components: [
      { name: 'a', type: 'text', label: { default: 'a', 'fr-CA': 'a ca' } },
      { name: 'b', type: 'text', label: { default: 'b', fr: 'b fr' } },
      { name: 'c', type: 'text', label: { default: 'c', de: 'c de' } },
    ],
    presentation: [],
    forms: {},
  }
  const labels = localizeSchema(mixed, closestLanguage('fr-CA', languagesOf(mixed))).components.map(
    ({ label }) => label,
  )
  assert.deepEqual(labels, ['a ca', 'b fr', 'c'])
})
