import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import { ProfileSchemaDelta } from '../../../contract/profile-schema.ts'
import { applyProfileSchemaDelta } from '../../../contract/profile-schema-delta.ts'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { languagesOf, localizeDelta, localizeSchema } from './localize-schema.ts'
import { changedSchema, randomSchema } from './random-schema.testkit.ts'
import { profileSchemaDelta } from './schema-delta.ts'

/** A delta after its transport as JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value))

test('applying the delta of two random schemas to the first gives the second', () => {
  for (let round = 0; round < sampleSize(5_000, 400); round++) {
    const random = seededRandom('delta', round)
    const from = randomSchema(random, 'a')
    const to = random.next() < 0.5 ? randomSchema(random, 'b') : changedSchema(random, from, 'b')
    const before = canonicalJson(from)
    const delta = sent(profileSchemaDelta(from, to))
    assert.equal(canonicalJson(applyProfileSchemaDelta(from, delta)), canonicalJson(to), `round ${round}`)
    assert.equal(canonicalJson(from), before)
    ProfileSchemaDelta.parse(delta)

    const language = random.pick([...languagesOf(to).keys(), ''])
    const localized = applyProfileSchemaDelta(localizeSchema(from, language), sent(localizeDelta(delta, language)))
    assert.equal(canonicalJson(localized), canonicalJson(localizeSchema(to, language)), `round ${round}`)
  }
})

const schemaOf = (names: string, more: Partial<ProfileSchema> = {}): ProfileSchema => ({
  version: names,
  components: [...names].map((name) => ({ name: name.toLowerCase(), type: name < 'a' ? 'text' : 'url' })),
  presentation: [],
  forms: {},
  ...more,
})

test('changed components keep their places and new ones are appended', () => {
  const { components } = profileSchemaDelta(schemaOf('abcd'), schemaOf('aCde'))
  assert.deepEqual(components, {
    set: [
      { name: 'c', type: 'text' },
      { name: 'e', type: 'url' },
    ],
    remove: ['b'],
    order: null,
  })
})

test('names the order of all components when places change', () => {
  for (const after of ['ba', 'xab', 'axb']) {
    const delta = profileSchemaDelta(schemaOf('ab'), schemaOf(after))
    assert.deepEqual(delta.components.order, [...after], after)
    assert.deepEqual(applyProfileSchemaDelta(schemaOf('ab'), delta), schemaOf(after))
  }
})

test('leaves out what did not change, whatever the order of members', () => {
  const from = schemaOf('a', {
    components: [{ name: 'a', type: 'text', label: { default: 'A', fr: 'Â' } }],
    presentation: [{ section: 's', fields: ['a'] }],
    forms: { one: { fields: ['a'] }, two: { fields: [] }, three: { fields: [] } },
  })
  const to = schemaOf('b', {
    components: [{ type: 'text', label: { fr: 'Â', default: 'A' }, name: 'a' }],
    presentation: [{ fields: ['a'], section: 's' }],
    forms: { three: { fields: ['a'] }, one: { fields: ['a'] }, four: { fields: [] } },
  })
  assert.deepEqual(profileSchemaDelta(from, to), {
    from: 'a',
    to: 'b',
    components: { set: [], remove: [], order: null },
    presentation: null,
    forms: { set: { three: { fields: ['a'] }, four: { fields: [] } }, remove: ['two'] },
  })
})

test('refuses to apply a delta to a schema of another version', () => {
  const delta = profileSchemaDelta(schemaOf('a'), schemaOf('b'))
  assert.throws(() => applyProfileSchemaDelta(schemaOf('c'), delta), {
    name: 'RangeError',
    message: 'the delta starts at version "a", but the schema has version "c"; read the whole schema',
  })
})

test('a delta from an untrusted server changes no prototype', () => {
  const delta = {
    from: 'a',
    to: 'b',
    components: { set: [JSON.parse('{"name":"__proto__","type":"text"}')], remove: ['toString'], order: null },
    presentation: null,
    forms: { set: JSON.parse('{"__proto__":{"fields":["x"]}}'), remove: ['constructor'] },
  }
  const applied = applyProfileSchemaDelta(schemaOf('a'), delta)
  assert.equal(Object.getPrototypeOf(applied.forms), Object.prototype)
  assert.equal(({} as Record<string, unknown>)['fields'], undefined)
})
