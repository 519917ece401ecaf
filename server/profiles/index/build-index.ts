import { type TenantStorage, type Tx, WriteConflict } from '../../storage/storage.ts'
import type { PublishedVersion, VersionConflict } from '../../tenants/tenant.ts'
import { migrateProfile } from '../migrations/migrate-profile.ts'
import type { IndexState, StoredProfile } from '../profile-store.ts'
import { migratedTo } from '../read-profile.ts'
import { entriesWithout, indexEntries } from './index-entries.ts'
import { fieldOfKey } from './index-keys.ts'
import type { HeldEntry, IndexEntry } from './profile-index.ts'

/** Profiles per read, indexed or not: a statement that looks for those that are not may read millions of others. */
const pageSize = 1_000
/** Profiles per transaction: other writes wait a few milliseconds. */
const batchSize = 20
const mostConflicts = 100

/** The versions of a build. */
interface Build {
  readonly current: PublishedVersion
  readonly building: PublishedVersion
}

/** What a pass found. */
export interface BuildPass {
  /** Profiles that it indexed. */
  readonly indexed: number
  /** Pairs of users with equal values in a unique field. */
  readonly conflicts: readonly VersionConflict[]
  /** Values that several users have, by field. */
  readonly duplicates: Readonly<Record<string, number>>
}

/**
 * Indexes every stored profile for the building version, in small transactions. Profiles that are written meanwhile are
 * indexed by their writers, or by this pass afterwards: writing a profile and indexing it exclude each other through its
 * revision. So when a complete pass finds no conflict, all profiles are indexed. Repeating it is harmless.
 * @param onProgress called after each page that is not empty with the number of profiles so far, also those that were indexed
 *   already: a multiple of the page's size, except at the end
 * @param isStopped stops the pass early
 * @returns null when it was stopped, or another process has ended the build
 */
export async function buildIndex(
  stores: TenantStorage,
  build: Build,
  onProgress: (profiles: number) => void,
  isStopped: () => boolean,
): Promise<BuildPass | null> {
  const { ordinal } = build.building
  const conflicts: VersionConflict[] = []
  const duplicates = new Map<string, Set<string>>()
  let profiles = 0
  let indexed = 0
  /** A revision at which the version was building. */
  let revision: number | null = null
  let cursor: string | null = null
  for (;;) {
    if (isStopped()) return null
    const page: IndexState[] = await stores.profiles.listIndexStates({ limit: pageSize, cursor })
    const unindexed = page.filter(({ indexedOrdinal }) => indexedOrdinal !== ordinal)
    for (let start = 0; start < unindexed.length; start += batchSize) {
      if (isStopped()) return null
      const batch = unindexed.slice(start, start + batchSize)
      const result = await stores.write(async (tx) => {
        const locked = await lockBuild(tx, ordinal, revision)
        return locked === null ? null : { locked, held: await indexBatch(tx, batch, build) }
      })
      if (result === null) return null
      revision = result.locked
      for (const entry of result.held) {
        const field = fieldOfKey(entry.field)
        duplicates.set(field, (duplicates.get(field) ?? new Set()).add(entry.value))
        if (conflicts.length < mostConflicts) conflicts.push({ field, userIds: [entry.holder, entry.userId] })
      }
      indexed += batch.length
    }
    profiles += page.length
    if (page.length > 0) onProgress(profiles)
    if (page.length < pageSize) break
    cursor = page.at(-1)!.id
  }
  return {
    indexed,
    conflicts,
    duplicates: Object.fromEntries([...duplicates].map(([field, { size }]) => [field, size])),
  }
}

/**
 * Keeps the version from ending its build before the transaction does: profiles that are written afterwards have its
 * migrations behind them, and must not be migrated again.
 * @param known a revision at which the version was building
 * @returns the revision; null when the build has ended
 */
async function lockBuild({ tenant }: Tx, ordinal: number, known: number | null): Promise<number | null> {
  const revision = await tenant.lockRevision()
  if (revision === known) return revision
  const stored = await tenant.configuration()
  return stored?.building?.ordinal === ordinal ? revision : null
}

/** Indexes some profiles; returns the values that other users hold, whose profiles stay unmarked. */
async function indexBatch(tx: Tx, ids: readonly IndexState[], build: Build): Promise<HeldEntry[]> {
  const profiles = (await Promise.all(ids.map(({ userId }) => tx.profiles.find(userId)))).filter((one) => one !== null)
  const { ordinal, schema } = build.building
  const isNew = ({ field }: IndexEntry) => field.endsWith(`@${ordinal}`)
  const of = ({ userId }: StoredProfile, some: readonly IndexEntry[]) =>
    some.filter(isNew).map((entry) => ({ ...entry, userId }))
  const found = await Promise.all(
    profiles.map(async (profile) => {
      const { values } = await migratedTo(build.current, profile, tx)
      const { unique, search } = indexEntries(build.building, migrateProfile(values, [schema.migrations]))
      const known = await tx.profileIndex.entriesOf(profile.userId)
      return {
        claimed: of(profile, unique),
        searchable: of(profile, search),
        // A writer that did not know the version yet may have changed a value that another writer had indexed.
        released: of(profile, entriesWithout(known.unique, unique)),
        removed: of(profile, entriesWithout(known.search, search)),
      }
    }),
  )
  const [, held] = await Promise.all([
    // First: what one of these users gave up, another one may claim.
    tx.profileIndex.release(found.flatMap(({ released }) => released)),
    tx.profileIndex.claim(found.flatMap(({ claimed }) => claimed)),
    tx.profileIndex.addSearch(found.flatMap(({ searchable }) => searchable)),
    tx.profileIndex.removeSearch(found.flatMap(({ removed }) => removed)),
  ])
  const refused = new Set(held.map(({ userId }) => userId))
  const marked = await Promise.all(
    profiles.filter(({ userId }) => !refused.has(userId)).map((profile) => tx.profiles.markIndexed(profile, ordinal)),
  )
  if (marked.includes(false)) throw new WriteConflict('A profile changed while it was indexed')
  return held
}
