import { isSameRevision, type TenantRevision } from '../../core/same-revision.ts'
import { eachTenant } from '../../core/tenant-pass.ts'
import type { Storage, Stores, Tx } from '../../storage/storage.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import type { TenantSnapshot, TenantSnapshots } from '../../tenants/tenant-snapshot.ts'
import type { StoredProfile } from '../profile-store.ts'
import { migrated } from '../read-profile.ts'
import { type ArchiveState, archiveState, withoutFields } from './archived-fields.ts'

const pageSize = 200
/** Profiles per transaction: other writes wait a few milliseconds. */
const batchSize = 20

/** A stored profile and what replaces it. */
interface Replacement {
  readonly stored: StoredProfile
  readonly profile: StoredProfile
}

/** What a pass has done for a tenant: nothing is left until the tenant changes or a removed field becomes due. */
interface Passed {
  readonly tenant: TenantRevision
  readonly until: number
}

/**
 * Housekeeping task that stores profiles migrated to their tenant's current schema, and erases the values of fields that
 * were removed long ago, a page at a time. It can be interrupted at any point, because reading migrates too; when a profile
 * is written or the tenant changes meanwhile, the tenant gets another pass.
 * @param archiveMs how long the values of removed fields are kept
 * @returns runs one pass over all tenants with something left to do; throws TenantsFailed at the end if some failed
 */
export function createProfileMigration(
  storage: Storage,
  snapshots: TenantSnapshots,
  archiveMs: number,
): (now: number) => Promise<void> {
  const passed = new Map<string, Passed>()

  async function passTenant(tenant: Tenant, now: number): Promise<void> {
    const snapshot = await snapshots.of(tenant)
    // The version that is indexed may show values that are archived until then.
    if (snapshot.building !== null) return
    const stores = storage.forTenant(tenant.id)
    const archive = await readArchive(stores, snapshot, archiveMs, now)
    let isComplete = true
    let cursor: string | null = null
    for (;;) {
      const page = await stores.profiles.list({ limit: pageSize, cursor })
      const replacements = await replacementsOf(page, snapshot, stores, archive)
      for (let start = 0; start < replacements.length; start += batchSize) {
        const batch = replacements.slice(start, start + batchSize)
        const areSaved = await stores.write((tx) => saveBatch(tx, batch, tenant.revision))
        if (areSaved === null) return
        isComplete &&= areSaved
      }
      if (page.length < pageSize) break
      cursor = page.at(-1)?.id ?? null
    }
    if (isComplete) passed.set(tenant.id, { tenant, until: archive.nextDue })
  }

  async function passIfDue(tenant: Tenant, now: number): Promise<void> {
    const last = passed.get(tenant.id)
    if (last === undefined || !isSameRevision(last.tenant, tenant) || now >= last.until) await passTenant(tenant, now)
  }

  return (now) => eachTenant(storage, (tenant) => passIfDue(tenant, now), passed)
}

/** The profiles of a page that are stored in an older version, or with values that are due. */
async function replacementsOf(
  page: readonly StoredProfile[],
  snapshot: TenantSnapshot,
  stores: Stores,
  { due }: ArchiveState,
): Promise<Replacement[]> {
  const replacements: Replacement[] = []
  for (const stored of page) {
    const current = await migrated(stored, snapshot, stores)
    // A profile of a newer version, written meanwhile, is left to the pass of that version.
    const isCurrent = current.schemaVersion === snapshot.profileSchema.schema.version
    const profile = isCurrent ? withoutFields(current, due) : stored
    if (profile !== stored) replacements.push({ stored, profile })
  }
  return replacements
}

/**
 * Saves some profiles. A version that brings a field back makes its archived values current, so the revision that decided
 * what to erase is locked until they are saved.
 * @returns whether no other write came first; null when the tenant has changed, and nothing is saved
 */
async function saveBatch(tx: Tx, batch: readonly Replacement[], revision: number): Promise<boolean | null> {
  if ((await tx.tenant.lockRevision()) !== revision) return null
  const saved = await Promise.all(batch.map(({ profile, stored }) => tx.profiles.save(profile, stored)))
  return !saved.includes(false)
}

function readArchive(
  { tenant }: Stores,
  { profileSchema: { ordinal } }: TenantSnapshot,
  archiveMs: number,
  now: number,
): Promise<ArchiveState> {
  return archiveState(ordinal === 1 ? [] : tenant.schemasAfter(0), ordinal, archiveMs, now)
}
