import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { defineProfileSchema } from '../../server/profiles/schema/define/define-profile-schema.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { documentOf, draftOf } from './draft.ts'
import { readDocument, refuseDocument } from './read-document.ts'

const guide = await readFile(new URL('../../docs/guides/profile-schema.md', import.meta.url), 'utf8')
const complete: unknown = JSON.parse(/cat > complete\.json <<'END'\n([\s\S]*?)\nEND/.exec(guide)![1]!)

test('takes every member of the complete example of the guide, and loses none of it', () => {
  assert.equal(refuseDocument(complete), null)
  assert.deepEqual(documentOf(draftOf(readDocument(complete))), complete)
})

test('names the place of what the editor cannot show', () => {
  const bad: Readonly<Record<string, unknown>> = {
    'A profile schema is an object with "components"': [],
    'components: must be an array': {},
    'components.0.name: must be a string': { components: [{ type: 'text' }] },
    'components.0.label: must be a text, or one for each language': {
      components: [{ name: 'a', type: 'text', label: 5 }],
    },
    'components.0.options.1.value: must be a string': {
      components: [{ name: 'a', type: 'select', options: [{ value: 'x' }, 'y'] }],
    },
    'presentation.0.fields: must be an array of field names': { components: [], presentation: [{ section: 'a' }] },
    'forms.f.steps.0.step: must be a string': { components: [], forms: { f: { steps: [{}] } } },
    'migrations.0: must have exactly one of rename, copy, drop, default, map, cast, split, join': {
      ...{ components: [], migrations: [{ rename: {}, drop: 'a' }] },
    },
    'migrations.1: must have exactly one of rename, copy, drop, default, map, cast, split, join': {
      ...{ components: [], migrations: [{ drop: 'a' }, { toString: { from: 'a' } }] },
    },
    'migrations.0.split: must name fields in an array': {
      ...{ components: [], migrations: [{ split: { from: 'a', separator: ' ', to: 'b' } }] },
    },
  }
  for (const [problem, document] of Object.entries(bad)) assert.equal(refuseDocument(document), problem)
  const condition = { components: [{ name: 'a', type: 'text', visibleWhen: { all: 'x' } }] }
  assert.match(refuseDocument(condition) ?? '', /^components\.0\.visibleWhen: must be a comparison/)
  assert.match(
    refuseDocument({ components: [{ name: 'a', type: 'image' }] }) ?? '',
    /^components\.0\.type: must be one of/,
  )
})

test('refuses what the draft would not keep, as the server would refuse it', () => {
  const field = { name: 'a', type: 'text' }
  const unknown: Readonly<Record<string, object>> = {
    form: { components: [field], form: { signUp: { fields: ['a'] } } },
    'components.0.key': { components: [{ ...field, key: 'b' }] },
    'presentation.0.key': { components: [field], presentation: [{ section: 'a', fields: ['a'], key: 'b' }] },
  }
  for (const [path, document] of Object.entries(unknown)) {
    assert.equal(refuseDocument(document), `${path}: unknown property`)
    const defined = defineProfileSchema(document)
    assert.ok('validation' in defined)
  }
  assert.equal(refuseDocument({ $schema: 'https://example.com/schema.json', components: [field] }), null)
})

/** The document with some value in it replaced. */
function damaged(value: unknown, path: readonly number[], by: unknown): unknown {
  if (path.length === 0 || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  if (entries.length === 0) return by
  const [index, ...deeper] = path
  const [key] = entries[index! % entries.length]!
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  copy[key] = damaged(copy[key], deeper, by)
  return copy
}

test('refuses nothing that the server accepts', () => {
  const path = fc.array(fc.nat(40), { minLength: 1, maxLength: 7 })
  const by = fc.constantFrom<unknown>(undefined, null, 0, true, 'x', [], {}, ['x'], { a: 1 }, { default: 'x' })
  fc.assert(
    fc.property(path, by, (places, value) => {
      const document = JSON.parse(JSON.stringify(damaged(complete, places, value)) ?? 'null') as unknown
      if (!('validation' in defineProfileSchema(document))) assert.equal(refuseDocument(document), null)
    }),
    { numRuns: sampleSize(3000) },
  )
})
