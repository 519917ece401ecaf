import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import type { StoredProfile } from '../profile-store.ts'

/** The default of `TENANTRY_ARCHIVE_DAYS`: how long the value of a removed field is kept. */
export const defaultArchiveDays = 30

/** Fields of earlier versions whose values are due to be erased, and when the next one is (epoch milliseconds). */
export interface ArchiveState {
  readonly due: ReadonlySet<string>
  readonly nextDue: number
}

/**
 * The set values that are kept, because another version of the schema may show them: those of fields that the schema does not
 * have, and of readable fields that are shown as unset, because their type has changed or they are hidden.
 * @param shown the profile as its user reads it
 */
export function archivedValues(
  values: ProfileValues,
  { components }: ProfileSchema,
  shown: Readonly<Record<string, unknown>>,
): ProfileValues {
  const named = new Map(components.map((component) => [component.name, component]))
  const isKept = (name: string) => {
    const component = named.get(name)
    return component === undefined || (component.readable !== false && shown[name] === null)
  }
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null && isKept(name)))
}

/**
 * The removed fields whose values are due at `now`. Their time begins with the publication of the version that removed them
 * last; a field that the last version has is not removed.
 * @param versions the versions in order, of which those up to `lastOrdinal` count
 */
export async function archiveState(
  versions: AsyncIterable<PublishedVersion> | Iterable<PublishedVersion>,
  lastOrdinal: number,
  archiveMs: number,
  now: number,
): Promise<ArchiveState> {
  const removedAt = new Map<string, number>()
  let before: readonly string[] = []
  for await (const { ordinal, schema, publishedAt } of versions) {
    if (ordinal > lastOrdinal) break
    const names = schema.components.map(({ name }) => name)
    const named = new Set(names)
    for (const name of before) if (!named.has(name)) removedAt.set(name, publishedAt)
    for (const name of names) removedAt.delete(name)
    before = names
  }
  const ends = [...removedAt].map(([name, at]) => ({ name, end: at + archiveMs }))
  return {
    due: new Set(ends.filter(({ end }) => end <= now).map(({ name }) => name)),
    nextDue: Math.min(...ends.filter(({ end }) => end > now).map(({ end }) => end)),
  }
}

/** The profile without the values of these fields; the same object when it has none. */
export function withoutFields(profile: StoredProfile, fields: ReadonlySet<string>): StoredProfile {
  const names = Object.keys(profile.values)
  if (!names.some((name) => fields.has(name))) return profile
  const kept = names.filter((name) => !fields.has(name)).map((name) => [name, profile.values[name]!] as const)
  return { ...profile, values: Object.fromEntries(kept) }
}
