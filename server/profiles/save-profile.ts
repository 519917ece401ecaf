import { type SavedStep, validateStep } from '../../contract/fields/forms/validate-step.ts'
import type { ExpectedRevision } from '../core/handler.ts'
import { ulid } from '../core/ids.ts'
import type { Refuse } from '../core/service-error.ts'
import { type TenantStorage, WriteConflict } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { compiledSchemaOf } from './compiled-profile-schemas.ts'
import { requireProfileContent } from './profile-content.ts'
import type { StoredProfile } from './profile-store.ts'
import { migrated } from './read-profile.ts'

/** The writer of an update; the operator also writes `writable: false` fields. */
export interface ProfileWriter {
  readonly now: number
  readonly refuse: Refuse<'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE' | 'PROFILE_CHANGED'>
  readonly operator: boolean
  /** Which revision may change; any when undefined. */
  readonly expectedRevision?: ExpectedRevision | undefined
  /** The step of a form that the update saves. */
  readonly step?: SavedStep | undefined
  /** Bytes of the stored profile, at most. */
  readonly maxBytes: number
}

/**
 * Creates or partially updates a user's profile with optimistic concurrency: concurrent updates create one profile and
 * lose no field (threat D11) (threat D12) (threat D13) (threat D14). `updatedAt` strictly increases.
 * @throws PROFILE_CHANGED, VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 * @returns null when there is no such user.
 */
export function saveProfile(
  storage: TenantStorage,
  userId: string,
  update: Readonly<Record<string, unknown>>,
  snapshot: TenantSnapshot,
  { now, refuse, operator, step, expectedRevision, maxBytes }: ProfileWriter,
): Promise<StoredProfile | null> {
  return storage.writeOptimistically(async (stores) => {
    const stored = await stores.profiles.find(userId)
    // The row lock keeps a user who is deleted concurrently from getting a profile.
    if (stored === null && (await stores.users.lock(userId)) === null) return null
    // Compared before the update is judged (PROFILE-16, RFC 9110 13.2.1). The save below fails if the revision changes after this.
    const revision = stored?.revision ?? 0
    if (expectedRevision?.(revision) === false) throw refuse('PROFILE_CHANGED')
    const current = stored && (await migrated(stored, snapshot, stores))
    const schema = compiledSchemaOf(snapshot)
    const by = { now, operator, current: current?.values ?? null, unproven: current?.unprovenFields }
    const judged = step === undefined ? schema.validate(update, by) : validateStep(schema, step, update, by)
    if ('validation' in judged) throw refuse('VALIDATION_ERROR', judged)
    const values = { ...current?.values, ...judged.values }
    const profile: StoredProfile = {
      id: current?.id ?? ulid(now),
      userId,
      schemaVersion: current?.schemaVersion ?? snapshot.profileSchema.schema.version,
      values,
      content: requireProfileContent(refuse, values, maxBytes, current?.values),
      createdAt: current?.createdAt ?? now,
      updatedAt: current ? Math.max(now, current.updatedAt + 1) : now,
      ...(current?.unprovenFields && {
        unprovenFields: current.unprovenFields.filter((field) => !Object.hasOwn(judged.values, field)),
      }),
    }
    if (!(await stores.profiles.save(profile, stored))) {
      throw new WriteConflict('A profile changed between reading and writing it')
    }
    return { ...profile, revision: revision + 1 }
  })
}
