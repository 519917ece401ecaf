import type { KeyKind } from '../../contract/admin/keys.ts'
import { ulid } from '../core/ids.ts'
import { type IssuedKey, KeyFormat } from '../secrets/issued-key.ts'

/** The parts of a well-formed key: its id (a ULID), and the secret to compare with the stored hash. */
export interface ParsedTenantKey {
  id: string
  kind: KeyKind
  secret: string
}

const format = new KeyFormat('tk_pub', 'tk_sec')

/**
 * Creates a tenant key, `tk_<pub|sec>_<ULID>_<secret>_<checksum>`: 84 characters.
 * @param now epoch milliseconds, the time of the ULID
 */
export const issueTenantKey = (kind: KeyKind, now: number): IssuedKey =>
  format.issue(kind === 'secret' ? 'tk_sec' : 'tk_pub', ulid(now))

/** Parses the value of a header; null for anything malformed, of any type; never throws. */
export function parseTenantKey(text: unknown): ParsedTenantKey | null {
  const parsed = format.parse(text)
  return parsed && { id: parsed.id, kind: parsed.prefix === 'tk_sec' ? 'secret' : 'publishable', secret: parsed.secret }
}
