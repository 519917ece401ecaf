import type { ProfileMigration } from '../../contract/profile-schema.ts'
import type { JsonValue, ProfileValues } from './field-kind.ts'
import { ownValue } from './profile-values.ts'

/**
 * Carries stored values to a newer schema (design 7): the migrations of each version after the one they were written
 * under, oldest first. Pure, and total: values of unexpected types pass through as they are.
 *
 * Meant to run once a version; who stores the answer stores the new version with it. `drop` and `default` may run again
 * without harm, `rename` too unless its old name is a field again, `map` unless one of its new values is also an old one.
 *
 * - rename: the value moves and replaces what was there; an unset one leaves the target alone.
 * - drop: the value goes.
 * - default: an unset field (absent or null) gets the value.
 * - map: old value → new one, null clears. A number or boolean is looked up by its JSON text, an array item by item (null
 *   leaves the item out, and items that become equal are kept once). A value that is not listed stays.
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
  } else {
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
  // Only what the mapping touched is cleaned up: other repetitions and odd items were there before and stay.
  return changed.filter((item, index) => {
    if (item === items[index]) return true
    return item !== null && !items.includes(item) && changed.indexOf(item) === index
  })
}
