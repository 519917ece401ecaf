import { type Draft, documentOf, type StoredProfileSchema } from '../draft.ts'
import { type Edit, reduceEditing, startEditing } from '../editing.ts'
import type { Choices } from './conflicts.ts'
import { mergeDrafts } from './merge-drafts.ts'

/** A published version with all that can be merged. */
export const base = {
  version: '4',
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'firm' }] },
    { name: 'first', type: 'text', label: { default: 'First name', fr: 'Prénom' } },
    { name: 'last', type: 'text', label: 'Last name' },
    { name: 'vat', type: 'text', visibleWhen: { field: 'kind', is: 'firm' } },
  ],
  presentation: [
    { section: 'about', title: 'About you', fields: ['first', 'last'] },
    { section: 'more', fields: ['kind', 'vat'] },
  ],
  forms: {
    signUp: { fields: ['first'], required: ['first'] },
    later: {
      steps: [
        { step: 'one', fields: ['vat', 'last'] },
        { step: 'two', fields: ['kind'] },
        { step: 'three', fields: [] },
      ],
    },
  },
  migrations: [],
} as unknown as StoredProfileSchema

/** The draft of some edits. */
export const draft = (...edits: readonly Edit[]): Draft => edits.reduce(reduceEditing, startEditing(base)).draft

/** Some edits, published as the next version. */
export const published = (...edits: readonly Edit[]): StoredProfileSchema =>
  ({ version: '5', ...documentOf(draft(...edits)) }) as unknown as StoredProfileSchema

/** Merges the edits of two operators. */
export function merge(mine: readonly Edit[], theirs: readonly Edit[], choices?: Choices) {
  const result = mergeDrafts({ base, mine: draft(...mine), theirs: published(...theirs), ...(choices && { choices }) })
  const { components, presentation = [], forms = {}, migrations } = documentOf(result.draft)
  const field = (name: string) => components.find((one) => one.name === name)
  const parts = result.conflicts.map(({ place, part }) => `${place.what} ${place.name}: ${part}`)
  return { ...result, presentation, forms, migrations, field, parts, names: components.map(({ name }) => name) }
}
