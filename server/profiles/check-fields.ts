import type { FieldState } from '../../contract/accounts/profile.ts'
import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { UpdateBy } from '../../contract/fields/judge-field.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { heldFields, indexChanges } from './index/index-changes.ts'
import type { StoredProfile } from './profile-store.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

type Update = Readonly<Record<string, unknown>>

/** An update, judged field by field. */
interface CheckedUpdate {
  readonly states: Map<string, FieldState>
  /** The valid values. */
  readonly values: ProfileValues
}

/**
 * What an update would do with each field that it names, and with others that it would be refused for.
 * @param current the stored profile, migrated to the snapshot's schema; null when there is none
 * @param secret the fields whose values other users may have without the caller learning it
 */
export async function checkFields(
  update: Update,
  current: StoredProfile | null,
  by: Pick<UpdateBy, 'now'>,
  snapshot: TenantSnapshot,
  stores: Pick<Stores, 'tenant' | 'profileIndex'>,
  secret: (field: string) => boolean = () => false,
): Promise<Record<string, FieldState>> {
  const { states, values } = judgeStates(update, current, by, snapshot)
  for (const [field, state] of states) {
    if (state === 'ignored' || !secret(field)) continue
    states.set(field, 'ok')
    delete values[field]
  }
  for (const field of await takenFieldsOf(values, current, snapshot, stores)) {
    if (states.get(field) === 'ok' && !secret(field)) states.set(field, 'taken')
  }
  return Object.fromEntries(states)
}

function judgeStates(
  update: Update,
  current: StoredProfile | null,
  { now }: Pick<UpdateBy, 'now'>,
  snapshot: TenantSnapshot,
): CheckedUpdate {
  const { values, problems, hidden } = compiledSchemaOf(snapshot).judge(update, {
    now,
    operator: false,
    current: current?.values ?? null,
    unproven: current?.unprovenFields,
  })
  const states = new Map<string, FieldState>()
  for (const field of Object.keys(update)) {
    states.set(field, Object.hasOwn(values, field) && !hidden.has(field) ? 'ok' : 'ignored')
  }
  for (const field of problems.keys()) states.set(field, 'invalid')
  return { states, values: Object.fromEntries(Object.entries(values).filter(([field]) => !problems.has(field))) }
}

/** The fields whose new values other users have. */
export async function takenFieldsOf(
  values: ProfileValues,
  current: StoredProfile | null,
  snapshot: TenantSnapshot,
  stores: Pick<Stores, 'tenant' | 'profileIndex'>,
): Promise<string[]> {
  const profile: StoredProfile = {
    ...(current ?? { id: '', userId: '', createdAt: 0, updatedAt: 0 }),
    schemaVersion: current?.schemaVersion ?? snapshot.profileSchema.schema.version,
    values: { ...current?.values, ...values },
  }
  const changes = await indexChanges(stores, snapshot, current?.values ?? null, profile)
  if (changes === null || changes.added.unique.length === 0) return []
  const held = await stores.profileIndex.holders(changes.added.unique)
  return heldFields(
    held.filter(({ userId }) => userId !== profile.userId),
    snapshot,
  )
}
