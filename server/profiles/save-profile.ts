import { type InvalidFields, invalidFields, type JudgedUpdate } from '../../contract/fields/compile-fields.ts'
import { notMet } from '../../contract/fields/field-problem.ts'
import { limitToStep } from '../../contract/fields/forms/form-steps.ts'
import { type SavedStep, validateStep } from '../../contract/fields/forms/validate-step.ts'
import { entriesWhere } from '../../contract/fields/profile-values.ts'
import type { ProfileSchema } from '../../contract/profile-schema.ts'
import type { ExpectedRevision } from '../core/handler.ts'
import { ulid } from '../core/ids.ts'
import type { Refuse } from '../core/service-error.ts'
import type { QueuedEvent } from '../events/event.ts'
import type { EventSource } from '../events/record.ts'
import { type Stores, type TenantStorage, WriteConflict } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { addProfile } from './add-profile.ts'
import { takenFieldsOf } from './check-fields.ts'
import {
  applyIndexChanges,
  heldFields,
  indexChanges,
  versionsToIndex,
  versionsToIndexFirst,
} from './index/index-changes.ts'
import type { IndexedVersions } from './index/profile-index.ts'
import { requireProfileContent } from './profile-content.ts'
import { profileEvent } from './profile-events.ts'
import type { StoredProfile } from './profile-store.ts'
import { migrated } from './read-profile.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/** The writer of an update; the operator also writes `writable: false` fields. */
interface ProfileWriter {
  readonly now: number
  /** Whose act the event of the update is. */
  readonly source: EventSource
  readonly refuse: Refuse<'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE' | 'PROFILE_CHANGED'>
  readonly operator: boolean
  /** Which revision may change; any when undefined. */
  readonly expectedRevision?: ExpectedRevision | undefined
  /** The step of a form that the update saves, in the schema that judges it. */
  readonly findStep?: (schema: ProfileSchema) => SavedStep | undefined
  /** Whether the request checks found an account that a first proof hands over: its new owner may have updated the profile. */
  readonly isOnlyClaimed?: boolean
  /** Refuses when the session of the writer has ended. */
  readonly requireSession?: (stores: Stores) => Promise<void>
  /** Bytes of the stored profile, at most. */
  readonly maxBytes: number
}

type Update = Readonly<Record<string, unknown>>

/** A profile, and the schema that judged its update. */
interface SavedProfile {
  readonly profile: StoredProfile
  readonly schema: CompiledProfileSchema
}

/**
 * Creates or partially updates a user's profile with optimistic concurrency: concurrent updates create one profile and
 * lose no field (threat D11) (threat D12) (threat D13) (threat D14). `updatedAt` strictly increases. Values of unique and
 * searchable fields are indexed in the same transaction; other updates take none.
 * @throws PROFILE_CHANGED, VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 * @returns null when there is no such user.
 */
export function saveProfile(
  storage: TenantStorage,
  userId: string,
  update: Update,
  known: TenantSnapshot,
  writer: ProfileWriter,
): Promise<SavedProfile | null> {
  const save = async (stores: Stores): Promise<SavedProfile | null> => {
    const stored = await stores.profiles.find(userId)
    const versions = stored === null ? await lockUser(stores, userId, known) : null
    if (stored === null && versions === null) return null
    // A first proof may have handed the account over since the request checks. A later one changes the revision.
    const mayBeHandedOver = stored === null || stored.unprovenFields !== undefined
    if (mayBeHandedOver || writer.isOnlyClaimed) await writer.requireSession?.(stores)
    // Compared before the update is judged (PROFILE-16, RFC 9110 13.2.1). The save below fails if the revision changes after this.
    const revision = stored?.revision ?? 0
    if (writer.expectedRevision?.(revision) === false) throw writer.refuse('PROFILE_CHANGED')
    const { current, snapshot } =
      stored === null ? { current: null, snapshot: known } : await migratedForUpdate(stored, known, stores)
    const judged = judgeUpdate(update, current, snapshot, writer)
    if ('validation' in judged) {
      const taken = await takenBesides(judged, update, { stores, current, snapshot, writer })
      throw writer.refuse('VALIDATION_ERROR', taken)
    }
    const changed = judged.values
    const profile = updated(userId, current, changed, snapshot, writer)
    const event = profileEvent(writer.source, snapshot, userId, current?.values ?? null, changed)
    const held =
      stored === null
        ? await addProfile(stores, profile, versions!, event)
        : await replaceProfile(stores, profile, { stored, current: current!, event }, snapshot)
    if (held.length > 0) throw writer.refuse('VALIDATION_ERROR', takenFields(held))
    return { profile: { ...profile, revision: revision + 1 }, schema: compiledSchemaOf(snapshot) }
  }
  // An update of an indexed field would only find out that it needs a transaction.
  const isIndexed = Object.keys(known.profileSchema.indexKeys ?? {}).some((field) => Object.hasOwn(update, field))
  return isIndexed ? storage.write(save) : storage.writeOptimistically(save)
}

/** The refusal of fields whose values other users have. */
export const takenFields = (fields: readonly string[]): InvalidFields =>
  invalidFields(new Map(fields.map((field) => [field, notMet({ rule: 'unique' })]))) ?? { validation: {}, details: {} }

/** Locks a user without a profile, so that a concurrently deleted user gets none; null when the user does not exist. */
async function lockUser(stores: Stores, userId: string, snapshot: TenantSnapshot): Promise<IndexedVersions | null> {
  stores.profileIndex.requireTransaction()
  const [user, versions] = await Promise.all([stores.users.lock(userId), versionsToIndexFirst(stores, snapshot)])
  return user && versions
}

/**
 * The profile migrated to the schema that judges its update. One of a newer version than the snapshot's shows that it was
 * published meanwhile: judged by an earlier one, a value could be stored under a name that the field no longer has.
 */
async function migratedForUpdate(stored: StoredProfile, snapshot: TenantSnapshot, stores: Stores) {
  const current = await migrated(stored, snapshot, stores)
  if (current.schemaVersion === snapshot.profileSchema.schema.version) return { current, snapshot }
  const latest = await stores.tenant.configuration()
  if (latest === null) throw new WriteConflict('The tenant was deleted between two reads')
  const { profileSchema, building } = latest
  const newer = { ...snapshot, profileSchema, building }
  return { current: await migrated(stored, newer, stores), snapshot: newer }
}

/** The changed values, or why the update is refused. Does not ask whether other users have the values of unique fields. */
export function judgeUpdate(
  update: Update,
  current: StoredProfile | null,
  snapshot: TenantSnapshot,
  writer: ProfileWriter,
): JudgedUpdate {
  const schema = compiledSchemaOf(snapshot)
  const by = updateBy(current, writer)
  const step = writer.findStep?.(schema.schema)
  return step === undefined ? schema.validate(update, by) : validateStep(schema, step, update, by)
}

const updateBy = (current: StoredProfile | null, { now, operator }: ProfileWriter) => ({
  now,
  operator,
  current: current?.values ?? null,
  unproven: current?.unprovenFields,
})

interface RefusedUpdate {
  readonly stores: Stores
  readonly current: StoredProfile | null
  readonly snapshot: TenantSnapshot
  readonly writer: ProfileWriter
}

/** The refusal of an update, also for the valid fields whose values other users have (PROFILE-3). */
async function takenBesides(
  invalid: InvalidFields,
  update: Update,
  { stores, current, snapshot, writer }: RefusedUpdate,
): Promise<InvalidFields> {
  const schema = compiledSchemaOf(snapshot)
  const saved = writer.findStep?.(schema.schema)
  const sent = saved === undefined ? update : limitToStep(update, saved.step)
  const { values } = schema.judge(sent, updateBy(current, writer))
  const valid = entriesWhere(values, (field) => !Object.hasOwn(invalid.validation, field))
  const taken = takenFields(await takenFieldsOf(valid, current, snapshot, stores))
  return {
    validation: { ...taken.validation, ...invalid.validation },
    details: { ...taken.details, ...invalid.details },
  }
}

/** The profile with the changed values. */
function updated(
  userId: string,
  current: StoredProfile | null,
  changed: StoredProfile['values'],
  snapshot: TenantSnapshot,
  { now, refuse, maxBytes }: ProfileWriter,
): StoredProfile {
  const { schema } = snapshot.profileSchema
  const values = { ...current?.values, ...changed }
  return {
    id: current?.id ?? ulid(now),
    userId,
    schemaVersion: current?.schemaVersion ?? schema.version,
    values,
    content: requireProfileContent(refuse, values, maxBytes, current && { values: current.values, schema }),
    createdAt: current?.createdAt ?? now,
    updatedAt: current ? Math.max(now, current.updatedAt + 1) : now,
    ...(current?.unprovenFields && {
      unprovenFields: current.unprovenFields.filter((field) => !Object.hasOwn(changed, field)),
    }),
  }
}

interface Replacement {
  readonly stored: StoredProfile
  /** Migrated. */
  readonly current: StoredProfile
  readonly event: QueuedEvent | null
}

/** Replaces a stored profile; returns the fields whose values other users have. */
async function replaceProfile(
  stores: Stores,
  profile: StoredProfile,
  { stored, current, event }: Replacement,
  snapshot: TenantSnapshot,
): Promise<string[]> {
  const versions = await versionsToIndex(stores, snapshot, current)
  const changes = await indexChanges(stores, versions, current.values, profile)
  if (changes !== null) stores.profileIndex.requireTransaction()
  const [isSaved, held] = await Promise.all([
    stores.profiles.save(profile, stored, event),
    changes === null ? [] : applyIndexChanges(stores.profileIndex, profile.userId, changes),
  ])
  if (!isSaved) throw new WriteConflict('A profile changed between reading and writing it')
  return heldFields(held, versions)
}
