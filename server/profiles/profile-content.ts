import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { Refuse } from '../core/service-error.ts'

/** The default of `TENANTRY_PROFILE_BYTES`, the maximum size of a stored profile. */
export const defaultProfileBytes = 262_144

/**
 * The JSON text of a profile as stored. Each PATCH may add up to one request body, so the limit applies to the whole text.
 * A profile that is already larger, because the limit was lowered, may shrink but not grow.
 * @param maxBytes UTF-8 bytes of the text, at most
 * @param current the replaced values, migrated to the current schema; null for a first profile
 * @returns null when the text is too large
 */
export function profileContent(
  values: ProfileValues,
  maxBytes: number,
  current: ProfileValues | null = null,
): string | null {
  const content = JSON.stringify(values)
  const bytes = Buffer.byteLength(content)
  if (bytes <= maxBytes) return content
  return current !== null && bytes <= Buffer.byteLength(JSON.stringify(current)) ? content : null
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
