import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { StoredProfileSchema } from '../../../contract/profile-schema.ts'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import type { SchemaComponent } from '../schema/schema-component.ts'

/**
 * The names of a version's unique and searchable fields in the index, by field; null when it has none. A field keeps the
 * name of the version before when the index contains the same values for it; otherwise it gets a new one, and the version
 * has to be built. So two versions never disagree about an entry, and removing what a version no longer needs is removing
 * whole names.
 * @param ordinal the version's, which no other version of the tenant has had
 */
export function indexKeysOf(
  schema: StoredProfileSchema,
  ordinal: number,
  before: PublishedVersion,
): Readonly<Record<string, string>> | null {
  const keys = schema.components.filter(isIndexed).map(({ name }) => {
    const kept = ownValue(before.indexKeys ?? {}, name)
    return [name, kept !== undefined && isSameIndex(name, before.schema, schema) ? kept : `${name}@${ordinal}`] as const
  })
  return keys.length === 0 ? null : Object.fromEntries(keys)
}

/** Whether stored profiles have to be read before the version can become current. */
export const needsBuild = ({ indexKeys, ordinal }: PublishedVersion): boolean =>
  Object.values(indexKeys ?? {}).some((key) => key.endsWith(`@${ordinal}`))

/** The field of a name in the index. */
export const fieldOfKey = (key: string): string => key.slice(0, key.lastIndexOf('@'))

const isIndexed = ({ unique, searchable }: SchemaComponent): boolean => unique === true || searchable === true

/** Whether the index contains the same values for a field in both versions, whatever the profiles contain. */
function isSameIndex(name: string, before: StoredProfileSchema, after: StoredProfileSchema): boolean {
  const [old, now] = [before, after].map(({ components }) => new Map(components.map((one) => [one.name, one])))
  const indexing = ({ unique, uniqueBy = 'folded', searchable }: SchemaComponent) =>
    JSON.stringify([unique === true && uniqueBy, searchable === true])
  if (indexing(old!.get(name)!) !== indexing(now!.get(name)!)) return false
  const touched = new Set(after.migrations.flatMap(stringsOf))
  return [...fieldsRead(name, now!)].every((field) => {
    const [one, other] = [old!.get(field), now!.get(field)]
    return (
      one?.type === other?.type &&
      JSON.stringify(one?.visibleWhen) === JSON.stringify(other?.visibleWhen) &&
      !touched.has(field)
    )
  })
}

/** The field, and those that decide whether it is visible. */
function fieldsRead(name: string, components: ReadonlyMap<string, SchemaComponent>): Set<string> {
  const read = new Set([name])
  for (const field of read) {
    const condition = components.get(field)?.visibleWhen
    if (condition !== undefined) for (const other of stringsOf(condition)) if (components.has(other)) read.add(other)
  }
  return read
}

/** All strings in a value; more than the names of fields, which at worst causes a build that was not necessary. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}
