import { timestamp } from '../../contract/envelope.ts'
import type { Profile } from '../../contract/profile.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { CompiledProfileSchema } from './compile-profile-schema.ts'
import { migrateProfile } from './migrate-profile.ts'
import type { StoredProfile } from './profile-store.ts'

/**
 * A profile as the schema of the snapshot sees it: what an older version left is migrated on the way (design 7). One
 * written meanwhile under a newer version stays as it is, and stays marked so: no migration ever runs twice.
 */
export async function migrated(
  stored: StoredProfile,
  snapshot: TenantSnapshot,
  stores: Stores,
): Promise<StoredProfile> {
  const { schema, ordinal } = snapshot.profileSchema
  if (stored.schemaVersion === schema.version) return stored
  const writtenUnder = await stores.tenant.findSchema(stored.schemaVersion)
  if (writtenUnder === null || writtenUnder.ordinal > ordinal) return stored
  const since = await stores.tenant.schemasAfter(writtenUnder.ordinal)
  const migrations = since.filter((version) => version.ordinal <= ordinal).map((version) => version.schema.migrations)
  return { ...stored, schemaVersion: schema.version, values: migrateProfile(stored.values, migrations) }
}

/** The answer's profile: its own three fields and every field of the schema, null where unset (contract 4.4). */
export const presentProfile = (profile: StoredProfile, schema: CompiledProfileSchema): Profile => ({
  id: profile.id,
  ...schema.present(profile.values),
  createdAt: timestamp(profile.createdAt),
  updatedAt: timestamp(profile.updatedAt),
})
