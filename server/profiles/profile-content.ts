import type { ProfileValues } from '../../contract/fields/field-type.ts'
import { entriesWhere } from '../../contract/fields/profile-values.ts'
import type { ProfileSchema } from '../../contract/profile-schema.ts'
import type { Refuse } from '../core/service-error.ts'

/** The default of `TENANTRY_PROFILE_BYTES`, the maximum size of a stored profile. */
export const defaultProfileBytes = 262_144

/** The values that an update replaces. */
interface ReplacedValues {
  /** Migrated to the schema. */
  readonly values: ProfileValues
  readonly schema: ProfileSchema
}

/**
 * The JSON text of a profile as stored. Each PATCH may add up to one request body, so the limit applies to all values of the
 * schema's fields. Archived values of removed fields do not count, because the user can neither see nor clear them. A profile
 * that is already larger, because the limit was lowered, may shrink but not grow.
 * @param maxBytes UTF-8 bytes of the text, at most
 * @param replaced null for a first profile, whose values are all of the schema's fields
 * @returns null when the text is too large
 */
export function profileContent(
  values: ProfileValues,
  maxBytes: number,
  replaced: ReplacedValues | null = null,
): string | null {
  const content = JSON.stringify(values)
  if (Buffer.byteLength(content) <= maxBytes) return content
  if (replaced === null) return null
  const fields = new Set(replaced.schema.components.map(({ name }) => name))
  const bytesOf = (all: ProfileValues) =>
    Buffer.byteLength(JSON.stringify(entriesWhere(all, (name) => fields.has(name))))
  return bytesOf(values) <= Math.max(maxBytes, bytesOf(replaced.values)) ? content : null
}

/**
 * Like `profileContent`, but throws when the text is too large.
 * @throws PAYLOAD_TOO_LARGE
 */
export function requireProfileContent(
  refuse: Refuse<'PAYLOAD_TOO_LARGE'>,
  ...given: Parameters<typeof profileContent>
): string {
  const content = profileContent(...given)
  if (content === null) throw refuse('PAYLOAD_TOO_LARGE')
  return content
}
