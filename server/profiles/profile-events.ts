import type { ProfileValues } from '../../contract/fields/field-type.ts'
import { isSameValue, ownValue } from '../../contract/fields/profile-values.ts'
import { isLongerThan } from '../../contract/fields/sound-text.ts'
import type { StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { Fact, QueuedEvent } from '../events/event.ts'
import { type EventSource, eventOf } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/** In code points, as text or else as JSON. Longer values are not recorded, only the names of their fields. */
const longestValue = 1_000

/** Fields whose values may be recorded, by schema. */
const shownFields = new WeakMap<StoredProfileSchema, ReadonlySet<string>>()

/** Those that are neither sensitive nor hidden from the user. */
function shownFieldsOf({ profileSchema: { schema } }: TenantSnapshot): ReadonlySet<string> {
  const known = shownFields.get(schema)
  if (known !== undefined) return known
  const shown = schema.components.filter(({ sensitive, readable }) => sensitive !== true && readable !== false)
  const names = new Set(shown.map(({ name }) => name))
  shownFields.set(schema, names)
  return names
}

type Change = NonNullable<Fact['changes']>[string]

const withoutValues: Change = {}

const changeOf = (before: unknown, after: unknown): Change => ({
  ...(shownValue(before) && { before }),
  ...(shownValue(after) && { after }),
})

const shownValue = (value: unknown): boolean =>
  value !== undefined && !isLongerThan(typeof value === 'string' ? value : JSON.stringify(value), longestValue)

/**
 * The event of a profile that is created or updated: the names of the fields that change, and their values if the tenant
 * records them. Null when it is not recorded, or nothing changes.
 * @param current the values before; null for a first profile
 */
export function profileEvent(
  source: EventSource,
  snapshot: TenantSnapshot,
  userId: string,
  current: ProfileValues | null,
  changed: ProfileValues,
): QueuedEvent | null {
  const { detail, profileValues } = snapshot.configuration.events
  if (detail === 'off' && !('operator' in source)) return null
  const shown = profileValues ? shownFieldsOf(snapshot) : null
  // A value that the field no longer holds may be one of an earlier, sensitive field.
  const read = shown && current && compiledSchemaOf(snapshot).present(current, 'operator')
  const changes: Record<string, Change> = {}
  let hasChanged = current === null
  for (const name of Object.keys(changed)) {
    const [before, after] = [ownValue(current ?? {}, name), changed[name]]
    // Absent and null both mean unset.
    if (isSameValue(before ?? null, after)) continue
    hasChanged = true
    changes[name] = shown?.has(name) ? changeOf(before === undefined ? before : read?.[name], after) : withoutValues
  }
  if (!hasChanged) return null
  const fact: Fact = {
    type: current === null ? 'profile.created' : 'profile.updated',
    subject: aUser(userId),
    changes,
  }
  return eventOf(source, fact)
}
