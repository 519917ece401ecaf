import { isOperatorNote } from '../../../contract/fields/field-component.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import { fieldTypes } from '../../../contract/fields/field-types.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { PublishedVersion, TenantStore } from '../../tenants/tenant.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { migrateProfile } from '../migrations/migrate-profile.ts'
import type { StoredProfile } from '../profile-store.ts'
import { migratedTo } from '../read-profile.ts'
import { followField } from '../schema/follow-field.ts'
import { entriesWithout, indexEntries } from './index-entries.ts'
import { fieldOfKey } from './index-keys.ts'
import type { HeldEntry, IndexEntry, IndexedVersions, ProfileEntries, ProfileIndexStore } from './profile-index.ts'

/** What writes of profiles change the index with. */
export type IndexWrites = Pick<ProfileIndexStore, 'claim' | 'release' | 'addSearch' | 'removeSearch' | 'replaceSearch'>

/** What a write of a profile changes in the index. */
interface IndexChanges {
  readonly added: ProfileEntries
  readonly removed: ProfileEntries
}

/** The part of the tenant's store that indexing reads. */
export interface VersionSource {
  readonly tenant: Pick<TenantStore, 'configuration' | 'lockRevision' | 'findSchema' | 'schemasAfter'>
}

/** The version that is building, or else the current one. */
export const latestOf = ({ profileSchema, building }: IndexedVersions): PublishedVersion => building ?? profileSchema

/**
 * The versions to index an update of a profile for. A profile that was indexed for a later version than the snapshot's shows
 * that it was published in the meantime. Any other needs no look: the build changes the revision of each profile that it
 * indexes, so an update that read the profile before fails and reads again.
 */
export async function versionsToIndex(
  { tenant }: VersionSource,
  snapshot: TenantSnapshot,
  { indexedOrdinal }: StoredProfile,
): Promise<IndexedVersions> {
  const isKnown = (indexedOrdinal ?? 0) <= latestOf(snapshot).ordinal
  return isKnown ? snapshot : ((await tenant.configuration()) ?? snapshot)
}

/**
 * The versions to index a first profile for. The build cannot find a profile that is not committed yet, so the lock keeps
 * another version from being published until it is. In a transaction.
 * @returns null for a deleted tenant
 */
export async function versionsToIndexFirst(
  { tenant }: VersionSource,
  snapshot: TenantSnapshot,
): Promise<IndexedVersions | null> {
  const revision = await tenant.lockRevision()
  return revision === snapshot.tenant.revision ? snapshot : tenant.configuration()
}

/** What replacing values by others of the same version changes in the index; null when nothing. */
export async function indexChanges(
  stores: VersionSource,
  versions: IndexedVersions,
  before: ProfileValues | null,
  after: StoredProfile,
): Promise<IndexChanges | null> {
  if (!versions.profileSchema.indexKeys && !versions.building?.indexKeys) return null
  const [was, is] = [
    before === null ? null : await entriesUnder(stores, versions, { ...after, values: before }),
    await entriesUnder(stores, versions, after),
  ]
  const old = was ?? { unique: [], search: [] }
  const added = { unique: entriesWithout(is.unique, old.unique), search: entriesWithout(is.search, old.search) }
  const removed = { unique: entriesWithout(old.unique, is.unique), search: entriesWithout(old.search, is.search) }
  const isSame = [added, removed].every(({ unique, search }) => unique.length + search.length === 0)
  return isSame ? null : { added, removed }
}

/** The entries of a profile under the current and the building version. */
async function entriesUnder(
  stores: VersionSource,
  { profileSchema, building }: IndexedVersions,
  profile: StoredProfile,
): Promise<ProfileEntries> {
  const { values } = await migratedTo(profileSchema, profile, stores)
  const entries = indexEntries(profileSchema, values)
  if (!building) return entries
  const coming = indexEntries(building, migrateProfile(values, [building.schema.migrations]))
  return {
    unique: [...entries.unique, ...entriesWithout(coming.unique, entries.unique)],
    search: [...entries.search, ...entriesWithout(coming.search, entries.search)],
  }
}

/**
 * Writes the changes. All statements are sent at once.
 * @returns the values that other users hold; the caller undoes the changes when there are any
 */
export async function applyIndexChanges(
  index: IndexWrites,
  userId: string,
  { added, removed }: IndexChanges,
): Promise<HeldEntry[]> {
  const of = <Entry extends IndexEntry>(entries: readonly Entry[]) => entries.map((entry) => ({ ...entry, userId }))
  const search = replacements(removed.search, added.search)
  const [held] = await Promise.all([
    added.unique.length > 0 ? index.claim(of(added.unique)) : [],
    search.added.length > 0 && index.addSearch(of(search.added)),
    search.replaced.length > 0 && index.replaceSearch(of(search.replaced)),
    removed.unique.length > 0 && index.release(of(removed.unique)),
    search.removed.length > 0 && index.removeSearch(of(search.removed)),
  ])
  return held
}

/** Fields that lose one value and get one; the others stay what they are. */
function replacements(removed: readonly IndexEntry[], added: readonly IndexEntry[]) {
  const only = (entries: readonly IndexEntry[], field: string) => {
    const [first, ...more] = entries.filter((entry) => entry.field === field)
    return more.length === 0 ? first : undefined
  }
  const replaced = added.flatMap((entry) => {
    const before = only(removed, entry.field)?.value
    return before !== undefined && only(added, entry.field) !== undefined ? { ...entry, before } : []
  })
  const isOther = ({ field }: IndexEntry) => !replaced.some((entry) => entry.field === field)
  return { replaced, added: added.filter(isOther), removed: removed.filter(isOther) }
}

/** The fields of the current schema whose values other users hold. */
export function heldFields(held: readonly IndexEntry[], { profileSchema, building }: IndexedVersions): string[] {
  const fields = held.flatMap(({ field: key }) => {
    const field = fieldOfKey(key)
    if (building === null || ownValue(profileSchema.indexKeys ?? {}, field) === key) return [field]
    // Clients know the fields that the building version's migrations take the value from.
    const sources = profileSchema.schema.components.filter((component) => {
      const { name, type } = component
      const successors = followField(name, building.schema.migrations, fieldTypes[type].expects)
      return !isOperatorNote(component) && successors.some((successor) => successor.name === field)
    })
    return sources.length === 0 ? [field] : sources.map(({ name }) => name)
  })
  return [...new Set(fields)]
}
