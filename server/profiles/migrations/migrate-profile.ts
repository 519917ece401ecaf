import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'
import { castValue, textOf } from './cast-value.ts'

/** Characters of a joined text, at most: steps that join a field with itself double it. */
const MAX_JOINED = 65_536

/**
 * Migrates stored values to a newer schema with the migrations of each version since theirs, oldest first. A pure and total
 * function: values of unexpected types are kept.
 *
 * Runs once per version; store the new version with the result. Repeating `drop`, `default`, `copy` and `cast` is harmless,
 * `rename` unless the old name is a field again, `map` unless one of its new values is also an old one, `split` and `join`
 * unless they write a field that they read.
 *
 * - rename: the value moves and replaces the target's value; an unset value leaves the target unchanged.
 * - drop: the value is removed.
 * - default: an unset field (absent or null) gets the value.
 * - map: old value → new value, null clears. A number or boolean is looked up by its JSON text, an array item by item (null
 *   removes the item, and items that become equal are kept once). A value that is not listed is kept.
 * - copy: like rename, and the source keeps its value.
 * - cast: the value as another type (`cast-value.ts`); one that cannot be cast stays.
 * - split: the parts of a text, without surrounding space, replace the values of the targets in order; the last target gets
 *   the rest. A target without a part, or with an empty one, is unchanged. The source keeps its value unless it is a target.
 *   A value that is not a text is not split.
 * - join: the texts, numbers and booleans of the sources, without unset ones, replace the target's value. When none is set,
 *   or the text would have more than 65,536 characters, the target is unchanged. The sources keep their values.
 *
 * @param onUncastable called with the name of a field whose value a `cast` step left as it was
 */
export function migrateProfile(
  values: ProfileValues,
  migrations: readonly (readonly ProfileMigration[])[],
  onUncastable?: (field: string) => void,
): ProfileValues {
  const migrated: ProfileValues = { ...values }
  for (const version of migrations) for (const step of version) migrateStep(migrated, step, onUncastable)
  return migrated
}

function migrateStep(values: ProfileValues, step: ProfileMigration, onUncastable?: (field: string) => void): void {
  if ('rename' in step) {
    const { from, to } = step.rename
    const value = ownValue(values, from)
    delete values[from]
    if (isSet(value)) values[to] = value
  } else if ('drop' in step) {
    delete values[step.drop]
  } else if ('default' in step) {
    const { field, value } = step.default
    if (!isSet(ownValue(values, field))) values[field] = value
  } else if ('map' in step) {
    const { field, values: mapped } = step.map
    const value = ownValue(values, field)
    if (value !== undefined) values[field] = Array.isArray(value) ? mapItems(value, mapped) : mapValue(value, mapped)
  } else if ('copy' in step) {
    const value = ownValue(values, step.copy.from)
    if (isSet(value)) values[step.copy.to] = value
  } else if ('cast' in step) {
    const { field, to } = step.cast
    const value = ownValue(values, field)
    if (!isSet(value)) return
    const cast = castValue(value, to)
    if (cast === undefined) onUncastable?.(field)
    else values[field] = cast
  } else if ('split' in step) {
    split(values, step.split)
  } else if ('join' in step) {
    join(values, step.join)
  }
}

const isSet = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null

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

function split(values: ProfileValues, { from, separator, to }: Extract<ProfileMigration, { split: unknown }>['split']) {
  let rest = ownValue(values, from)
  for (const [index, name] of to.entries()) {
    if (typeof rest !== 'string') return
    const end = index === to.length - 1 ? -1 : rest.indexOf(separator)
    const part = (end === -1 ? rest : rest.slice(0, end)).trim()
    if (part !== '') values[name] = part
    rest = end === -1 ? undefined : rest.slice(end + separator.length)
  }
}

function join(values: ProfileValues, { from, separator, to }: Extract<ProfileMigration, { join: unknown }>['join']) {
  const texts = from.map((name) => textOf(ownValue(values, name) ?? null)).filter((text) => text !== undefined)
  const length = texts.reduce((sum, text) => sum + separator.length + text.length, -separator.length)
  if (texts.length > 0 && length <= MAX_JOINED) values[to] = texts.join(separator)
}
