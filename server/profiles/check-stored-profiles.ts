import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { ProfileMigration } from '../../contract/profile-schema.ts'
import type { Stores } from '../storage/storage.ts'
import { duplicateValues } from './duplicate-values.ts'
import { migrateProfile } from './migrations/migrate-profile.ts'
import type { ProfileStore, StoredProfile } from './profile-store.ts'
import { failingFields } from './schema/compare-profile-schemas.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'

const firstPage = 25
const largestPage = 100
/** Time before yielding to the event loop: other requests wait at most this long plus one page read, or one profile. */
const sliceMs = 4
/** A page whose reading kept the event loop busy for longer is followed by a smaller one. */
const pageMs = 3

/** What the stored profiles would be under a candidate. Counts of profiles, by field. */
interface CheckedProfiles {
  readonly profiles: number
  readonly failingProfiles: number
  readonly failingFields: Record<string, number>
  readonly uncastable: Record<string, number>
  /** Values that several profiles have in a unique field. */
  readonly duplicates: Record<string, number>
}

/** The migrations of a profile on its way to the candidate: those of published versions, then the candidate's own. */
export interface CandidateMigrations {
  readonly published: readonly (readonly ProfileMigration[])[]
  readonly own: readonly ProfileMigration[]
}

/** How a check of profiles runs. */
interface CheckRun {
  /** Epoch milliseconds. */
  readonly now: number
  migrationsFrom(version: string): Promise<CandidateMigrations>
  /**
   * Called with the number of profiles checked so far, before each page after the first.
   * @throws to end the check
   */
  onPage(checked: number): Promise<void> | void
}

/** Reads every stored profile as if the schema were current, and counts those it would refuse. */
export async function checkStoredProfiles(
  { profiles }: Pick<Stores, 'profiles'>,
  compiled: CompiledProfileSchema,
  { now, migrationsFrom, onPage }: CheckRun,
): Promise<CheckedProfiles> {
  const [fields, uncastable] = [new Map<string, number>(), new Map<string, number>()]
  const duplicates = duplicateValues(compiled)
  const count = (counts: Map<string, number>, names: Iterable<string>) => {
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let checked = 0
  let failingProfiles = 0
  for await (const profile of allProfiles(profiles, () => onPage(checked))) {
    const { published, own } = await migrationsFrom(profile.schemaVersion)
    const kept = new Set<string>()
    const before = migrateProfile(profile.values, published)
    const values = migrateProfile(before, [own], (field) => kept.add(field))
    const failing = failingFields(compiled, values, now)
    duplicates.add(values)
    checked++
    if (failing.length > 0) failingProfiles++
    count(fields, failing)
    count(uncastable, kept)
  }
  const counts = { failingFields: Object.fromEntries(fields), uncastable: Object.fromEntries(uncastable) }
  return { profiles: checked, failingProfiles, ...counts, duplicates: duplicates.counts() }
}

/** Reads page by page, and yields to the event loop after each time slice. Pages of large profiles are smaller. */
async function* allProfiles(
  profiles: Pick<ProfileStore, 'list'>,
  onPage: () => Promise<void> | void,
): AsyncGenerator<StoredProfile> {
  let limit = firstPage
  let cursor: string | null = null
  let sliceEnds = performance.now() + sliceMs
  for (;;) {
    const before = performance.eventLoopUtilization()
    const page = await profiles.list({ limit, cursor })
    const { active } = performance.eventLoopUtilization(before)
    for (const profile of page) {
      if (performance.now() >= sliceEnds) {
        await setImmediate()
        sliceEnds = performance.now() + sliceMs
      }
      yield profile
    }
    if (page.length < limit) return
    cursor = page.at(-1)!.id
    limit = active > pageMs ? Math.max(1, limit >> 1) : Math.min(largestPage, limit * 2)
    await onPage()
  }
}
