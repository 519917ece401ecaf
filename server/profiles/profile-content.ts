import type { Refuse } from '../core/service-error.ts'
import type { ProfileValues } from './field-kind.ts'

/** The largest stored profile where the deployment sets no limit (`TENANTRY_PROFILE_BYTES`), in bytes. */
export const defaultProfileBytes = 262_144

/**
 * The JSON text that storage keeps for a profile. Each PATCH may add up to one request body, so the limit applies to the
 * whole text. A profile that is larger already, because the limit was lowered, may shrink but not grow.
 * @param maxBytes UTF-8 bytes of the text, at most
 * @param current the values it replaces, as the current schema sees them; null for a first profile
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
 * As `profileContent`, for callers that answer with the refusal.
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
