import type { Profile, ReadProfile } from '../../contract/accounts/profile.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { Reader } from '../../contract/fields/compile-fields.ts'
import type { ProfileMigration, StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { Revisioned } from '../core/revisioned.ts'
import type { Stores } from '../storage/storage.ts'
import type { PublishedVersion, TenantStore } from '../tenants/tenant.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { migrateProfile } from './migrations/migrate-profile.ts'
import type { StoredProfile } from './profile-store.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'
import { followField } from './schema/follow-field.ts'

type VersionStore = Pick<TenantStore, 'findSchema' | 'schemasAfter'>

/** The profile migrated to the snapshot's schema, as `migratedTo` does. */
export const migrated = (stored: StoredProfile, snapshot: TenantSnapshot, stores: Stores): Promise<StoredProfile> =>
  migratedTo(snapshot.profileSchema, stored, stores)

/** Migrations by the schema they lead to and the version they begin at. */
const known = new WeakMap<StoredProfileSchema, Map<string, readonly (readonly ProfileMigration[])[]>>()

/**
 * The profile migrated to a version. A profile of a newer version, written meanwhile, is returned unchanged with its version,
 * so that no migration runs twice.
 */
export async function migratedTo(
  version: PublishedVersion,
  stored: StoredProfile,
  { tenant }: { readonly tenant: VersionStore },
): Promise<StoredProfile> {
  if (stored.schemaVersion === version.schema.version) return stored
  const migrations = await migrationsFrom(stored.schemaVersion, version, tenant)
  if (migrations === null) return stored
  const values = migrateProfile(stored.values, migrations)
  const unprovenFields = stored.unprovenFields && migrateUnproven(stored.unprovenFields, migrations.flat())
  return { ...stored, schemaVersion: version.schema.version, values, ...(unprovenFields && { unprovenFields }) }
}

/**
 * The migrations from one published version to another; null when the first one is newer. Snapshots share one object per
 * published version, and what was published before it never changes: the versions, which may be large, are read once.
 */
async function migrationsFrom(
  writtenUnder: string,
  { schema, ordinal }: PublishedVersion,
  tenant: VersionStore,
): Promise<readonly (readonly ProfileMigration[])[] | null> {
  const found = known.get(schema)?.get(writtenUnder)
  if (found !== undefined) return found
  const from = await tenant.findSchema(writtenUnder)
  if (from === null || from.ordinal > ordinal) return null
  const migrations: (readonly ProfileMigration[])[] = []
  for await (const since of tenant.schemasAfter(from.ordinal)) {
    if (since.ordinal > ordinal) break
    migrations.push(since.schema.migrations)
  }
  known.set(schema, (known.get(schema) ?? new Map()).set(writtenUnder, migrations))
  return migrations
}

/** The fields that have a value of these fields after the migrations. One that a step might have replaced counts too. */
const migrateUnproven = (fields: readonly string[], steps: readonly ProfileMigration[]): string[] => [
  ...new Set(fields.flatMap((field) => [field, ...followField(field, steps).map(({ name }) => name)])),
]

/** The profile of a user as it is read; before the first update every field is null. */
export async function readProfile(
  userId: string,
  snapshot: TenantSnapshot,
  stores: Stores,
  reader: Reader = 'user',
): Promise<Revisioned<ReadProfile>> {
  const stored = await stores.profiles.find(userId)
  const schema = compiledSchemaOf(snapshot)
  if (stored === null) {
    return { data: { id: null, ...schema.present({}, reader), createdAt: null, updatedAt: null }, revision: 0 }
  }
  return presentRevision(await migrated(stored, snapshot, stores), schema, reader)
}

/** The profile as answered, with its revision. */
export const presentRevision = (
  profile: StoredProfile,
  schema: CompiledProfileSchema,
  reader: Reader = 'user',
): Revisioned<Profile> => ({ data: presentProfile(profile, schema, reader), revision: profile.revision ?? 0 })

/** The profile as answered: `id`, `createdAt`, `updatedAt` and the fields of the schema that the reader sees, null when unset. */
export const presentProfile = (
  profile: StoredProfile,
  schema: CompiledProfileSchema,
  reader: Reader = 'user',
): Profile => {
  // One object: a schema may have 200 fields to copy.
  const shown = schema.present(profile.values, reader, { id: profile.id })
  shown['createdAt'] = timestamp(profile.createdAt)
  shown['updatedAt'] = timestamp(profile.updatedAt)
  return shown as Profile
}
