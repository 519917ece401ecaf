import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineProfileSchema } from '../../../server/profiles/schema/define/define-profile-schema.ts'
import { type Random, seededRandom } from '../../../test/campaign/seeded-random.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { type Draft, documentOf, type StoredProfileSchema } from '../draft.ts'
import { type Edit, reduceEditing, startEditing } from '../editing.ts'
import type { Choice } from './conflicts.ts'
import { mergeDrafts } from './merge-drafts.ts'
import { randomEdit } from './random-edits.testkit.ts'

const base = {
  version: '4',
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'A' }, { value: 'person' }, { value: 'firm' }] },
    { name: 'first', type: 'text', label: 'First name' },
    { name: 'vat', type: 'text', rules: { maxLength: 20 }, visibleWhen: { field: 'kind', is: 'firm' } },
    { name: 'age', type: 'integer', rules: { min: 0 }, searchable: true },
    { name: 'tastes', type: 'multiselect', options: [{ value: 'A' }, { value: 'sweet' }] },
    { name: 'note', type: 'multiline', readable: false, writable: false },
  ],
  presentation: [
    { section: 'about', title: 'About you', fields: ['first', 'age'] },
    { section: 'more', fields: ['kind', 'vat', 'tastes'] },
  ],
  forms: {
    signUp: { fields: ['first', 'kind'], required: ['first'] },
    later: {
      steps: [
        { step: 'one', fields: ['vat'], visibleWhen: { field: 'kind', is: 'firm' } },
        { step: 'two', fields: ['tastes', 'age'], required: ['age'] },
      ],
    },
  },
  migrations: [],
} as unknown as StoredProfileSchema

/** As the server would store it; null when it refuses. */
function stored(draft: Draft): StoredProfileSchema | null {
  const defined = defineProfileSchema(documentOf(draft), '5')
  return 'schema' in defined ? (defined.schema as StoredProfileSchema) : null
}

/** Some edits after another, without those that the server refuses. */
function edited(random: Random, from: StoredProfileSchema): Draft {
  let editing = startEditing(from)
  for (let count = 1 + random.below(8); count > 0; count--) {
    const next = reduceEditing(editing, randomEdit(random, editing.draft))
    if (stored(next.draft) !== null) editing = next
  }
  return editing.draft
}

const cases = sampleSize(1_000)

test('the server accepts what was merged of two documents that it accepts, whatever is chosen', () => {
  let [conflicts, merges] = [0, 0]
  for (let round = 0; round < cases; round++) {
    const random = seededRandom('merge', round)
    const mine = edited(random, base)
    const theirs = stored(edited(random, base))!
    const first = mergeDrafts({ base, mine, theirs })
    const choices = Object.fromEntries(
      first.conflicts.map(({ id }): [string, Choice] => [id, random.next() < 0.5 ? 'mine' : 'theirs']),
    )
    for (const { draft, conflicts: listed } of [first, mergeDrafts({ base, mine, theirs, choices })]) {
      assert.deepEqual(listed, first.conflicts, `round ${round}`)
      const defined = defineProfileSchema(documentOf(draft), '6')
      const show = () => JSON.stringify({ mine: documentOf(mine), theirs, draft: documentOf(draft), choices }, null, 1)
      if ('validation' in defined) assert.fail(`round ${round}: ${JSON.stringify(defined.validation)}\n${show()}`)
    }
    conflicts += first.conflicts.length
    if (first.conflicts.length === 0) merges++
  }
  assert.ok(conflicts > cases / 10 && merges > cases / 10, `${conflicts} conflicts, ${merges} merges without any`)
})

test('without a change of the other, the document is that of the one', () => {
  for (let round = 0; round < cases; round++) {
    const random = seededRandom('merge one', round)
    const draft = edited(random, base)
    const mine = mergeDrafts({ base, mine: draft, theirs: base })
    assert.deepEqual([mine.conflicts, stored(mine.draft)], [[], stored(draft)], `round ${round}`)
    const published = stored(draft)!
    const theirs = mergeDrafts({ base, mine: startEditing(base).draft, theirs: published })
    const { migrations: _steps, ...content } = published
    const { migrations, ...merged } = stored(theirs.draft)!
    assert.deepEqual(
      [theirs.conflicts, migrations, { ...merged, version: content.version }],
      [[], [], content],
      `round ${round}`,
    )
  }
})

test('a renamed option stays in conditions after its field has no options any more', () => {
  const edits: readonly Edit[] = [
    { do: 'renameOption', key: 'kind', index: 2, value: 'company' },
    { do: 'retypeField', key: 'kind', type: 'multiline' },
  ]
  const { draft } = edits.reduce(reduceEditing, startEditing(base))
  const merged = mergeDrafts({ base, mine: draft, theirs: base }).draft.fields
  assert.deepEqual(merged.find(({ name }) => name === 'vat')?.visibleWhen, { field: 'kind', is: 'company' })
})
