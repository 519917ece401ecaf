import { ulid } from '../ids.ts'
import { invalid } from '../service-error.ts'
import { type Stores, type TenantStorage, WriteConflict } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { compiledSchemaOf } from './compiled-profile-schemas.ts'
import type { StoredProfile } from './profile-store.ts'
import { migrated } from './read-profile.ts'

/** Who writes: the operator also writes `writable: false` fields. */
export interface ProfileWriter {
  readonly now: number
  readonly operator: boolean
}

/** What is written to whose profile. */
interface ProfileChange {
  readonly userId: string
  readonly update: Readonly<Record<string, unknown>>
  readonly snapshot: TenantSnapshot
  readonly writer: ProfileWriter
}

/**
 * Creates or partially updates a user's profile: judged and stored against one reading of it, so two updates at once
 * make one profile and lose no field (contract 4.4, threats D11-D14). `updatedAt` strictly increases.
 * @throws VALIDATION_ERROR
 * @returns null when there is no such user.
 */
export async function saveProfile(
  storage: TenantStorage,
  userId: string,
  update: Readonly<Record<string, unknown>>,
  snapshot: TenantSnapshot,
  writer: ProfileWriter,
): Promise<StoredProfile | null> {
  const change = { userId, update, snapshot, writer }
  // Mostly there is one, and nobody else is changing it: then reading and writing need no transaction around them.
  const stored = await storage.profiles.find(userId)
  if (stored !== null) {
    const profile = await changed(stored, change, storage)
    if (await storage.profiles.save(profile, stored)) return profile
  }
  return storage.write(async (tx) => {
    if ((await tx.users.hold(userId)) === null) return null
    const current = await tx.profiles.find(userId)
    const profile = await changed(current, change, tx)
    if (!(await tx.profiles.save(profile, current))) {
      throw new WriteConflict('A profile changed between reading and writing it')
    }
    return profile
  })
}

/** The profile as the update leaves it. */
async function changed(
  stored: StoredProfile | null,
  { userId, update, snapshot, writer: { now, operator } }: ProfileChange,
  stores: Stores,
): Promise<StoredProfile> {
  const current = stored && (await migrated(stored, snapshot, stores))
  const judged = compiledSchemaOf(snapshot).validate(update, { now, operator, current: current?.values ?? null })
  if ('validation' in judged) throw invalid(judged.validation)
  return {
    id: current?.id ?? ulid(now),
    userId,
    schemaVersion: current?.schemaVersion ?? snapshot.profileSchema.schema.version,
    values: { ...current?.values, ...judged.values },
    createdAt: current?.createdAt ?? now,
    updatedAt: current ? Math.max(now, current.updatedAt + 1) : now,
  }
}
