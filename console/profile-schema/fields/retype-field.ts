import type { DraftField, FieldTypeName, ProfileMigration } from '../draft.ts'
import { withOrWithout } from '../references.ts'
import { controlsOf, fieldKinds, rulesOf, takesFlag, takesOptions, takesPlaceholder } from './field-kinds.ts'

/** The field with another type, with everything that this type has too. */
export function retyped(field: DraftField, type: FieldTypeName): DraftField {
  const { options: _options, rules: _rules, ...others } = field
  const known = rulesOf(type)
  const rules = Object.fromEntries(
    Object.entries(field.rules ?? {}).filter(
      ([rule]) => known[rule] !== undefined && known[rule] === rulesOf(field.type)[rule],
    ),
  )
  let next: DraftField = { ...others, type }
  if (Object.keys(rules).length > 0) next = { ...next, rules }
  if (takesOptions(type)) next = { ...next, options: field.options ?? [{ value: 'one', label: 'One' }] }
  if (!takesPlaceholder(type)) next = withOrWithout(next, 'placeholder', undefined)
  if (next.control !== undefined && !controlsOf(type).includes(next.control)) {
    next = withOrWithout(next, 'control', undefined)
  }
  if (!takesFlag(type, 'unique')) next = withOrWithout(withOrWithout(next, 'unique', undefined), 'uniqueBy', undefined)
  if (!takesFlag(type, 'searchable')) next = withOrWithout(next, 'searchable', undefined)
  if (!takesFlag(type, 'claim')) {
    next = withOrWithout(withOrWithout(next, 'claim', undefined), 'claimFromUser', undefined)
  }
  return next
}

type CastTarget = Extract<ProfileMigration, { cast: unknown }>['cast']['to']

/** How stored values of one type become values of another; null: they are valid as they are, or cannot be cast. */
export function castBetween(from: FieldTypeName, to: FieldTypeName): CastTarget | null {
  if (from === to) return null
  const [before, after] = [fieldKinds[from].values, fieldKinds[to].values]
  if (before === 'object' || after === 'object') return null
  if (to === 'integer') return 'integer'
  if (to === 'date') return 'date'
  if (before === after) return null
  return after
}
