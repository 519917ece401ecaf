import type { StoredProfileSchema } from '../../../packages/client/src/admin.ts'
import type { ProfileFormField } from '../../../packages/client/src/react/profile-fields.ts'
import { choicesOf, isCodeType } from '../../parts/profile-field/choices.tsx'
import { locale, nothingTyped, profileSections } from '../profile-view.ts'

/** A field by which users are found, in the console's language. */
export type SearchableField = Pick<ProfileFormField, 'name' | 'type' | 'label' | 'options' | 'rules'>

type Component = StoredProfileSchema['components'][number]

/** In the order of the profile. */
export function searchableFields(schema: StoredProfileSchema): readonly SearchableField[] {
  const components = schema.components.filter((one) => 'searchable' in one && one.searchable === true)
  const shown = { ...schema, components: components.map(withoutConditions) }
  return profileSections(shown, {}, nothingTyped, locale).flatMap(({ fields }) => fields)
}

/** Conditions are those of one user; a search is for all. */
function withoutConditions(component: Component): Component {
  const { visibleWhen: _visible, lockedWhen: _locked, requiredWhen: _required, ...shown } = component
  if (!('options' in shown)) return shown as Component
  return { ...shown, options: shown.options.map(({ when: _when, ...option }) => option) } as Component
}

/** How the API compares a type: by one of few values, a range, or a text and its beginning. */
export function comparedBy({ type }: SearchableField): 'choice' | 'range' | 'text' {
  if (type === 'number' || type === 'integer' || type === 'date') return 'range'
  return type === 'select' || type === 'multiselect' || type === 'boolean' || isCodeType(type) ? 'choice' : 'text'
}

/** The name of a value that is searched. It is compared without case, and may be one that is no longer offered. */
export function nameOfValue(field: SearchableField, value: string): string {
  if (comparedBy(field) !== 'choice') return value
  const folded = value.toLowerCase()
  return choicesOf(field, locale).find((choice) => choice.value.toLowerCase() === folded)?.label ?? value
}
