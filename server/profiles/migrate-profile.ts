import type { JsonValue, ProfileValues } from '../../contract/fields/field-type.ts'
import { ownValue } from '../../contract/fields/profile-values.ts'
import type { ProfileMigration } from '../../contract/profile-schema.ts'

/**
 * Migrates stored values to a newer schema with the migrations of each version since theirs, oldest first. A pure and total
 * function: values of unexpected types are kept.
 *
 * Runs once per version; store the new version with the result. Repeating `drop` and `default` is harmless, `rename` unless
 * the old name is a field again, `map` unless one of its new values is also an old one.
 *
 * - rename: the value moves and replaces the target's value; an unset value leaves the target unchanged.
 * - drop: the value is removed.
 * - default: an unset field (absent or null) gets the value.
 * - map: old value → new value, null clears. A number or boolean is looked up by its JSON text, an array item by item (null
 *   removes the item, and items that become equal are kept once). A value that is not listed is kept.
 */
export function migrateProfile(
  values: ProfileValues,
  migrations: readonly (readonly ProfileMigration[])[],
): ProfileValues {
  const migrated: ProfileValues = { ...values }
  for (const version of migrations) for (const step of version) migrateStep(migrated, step)
  return migrated
}

function migrateStep(values: ProfileValues, step: ProfileMigration): void {
  if ('rename' in step) {
    const { from, to } = step.rename
    const value = ownValue(values, from)
    delete values[from]
    if (value !== undefined && value !== null) values[to] = value
  } else if ('drop' in step) {
    delete values[step.drop]
  } else if ('default' in step) {
    const { field, value } = step.default
    if ((ownValue(values, field) ?? null) === null) values[field] = value
  } else if ('map' in step) {
    const { field, values: mapped } = step.map
    const value = ownValue(values, field)
    if (value !== undefined) values[field] = Array.isArray(value) ? mapItems(value, mapped) : mapValue(value, mapped)
  }
}

type Mapping = Readonly<Record<string, string | number | boolean | null>>

function mapValue(value: JsonValue, mapped: Mapping): JsonValue {
  if (value === null || typeof value === 'object') return value
  const replacement = ownValue(mapped, String(value))
  return replacement === undefined ? value : replacement
}

function mapItems(items: JsonValue[], mapped: Mapping): JsonValue[] {
  const changed = items.map((item) => mapValue(item, mapped))
  // Only mapped items are removed or merged; other duplicates and unexpected items are kept.
  return changed.filter((item, index) => {
    if (item === items[index]) return true
    return item !== null && !items.includes(item) && changed.indexOf(item) === index
  })
}
