import { fitsClaim } from '../../contract/fields/claim-value.ts'
import type { JsonValue } from '../../contract/fields/json-value.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { migrated } from './read-profile.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/** Claims of an access token from the user's profile: `profile.<field>`. */
export type ProfileClaims = Readonly<Record<`profile.${string}`, JsonValue>>

/**
 * The values of the fields that are claims (AUTH-11); undefined when the schema has none, which reads nothing. Leaves out values that
 * are missing, hidden or too long.
 */
export async function readProfileClaims(
  userId: string,
  snapshot: TenantSnapshot,
  stores: Stores,
): Promise<ProfileClaims | undefined> {
  const schema = compiledSchemaOf(snapshot)
  if (schema.claims.length === 0) return undefined
  const stored = await stores.profiles.find(userId)
  if (stored === null) return undefined
  const { values } = await migrated(stored, snapshot, stores)
  const shown = schema.present(values, 'operator')
  const claims: Record<`profile.${string}`, JsonValue> = {}
  for (const name of schema.claims) {
    const value = shown[name]
    if (value !== undefined && value !== null && fitsClaim(value)) claims[`profile.${name}`] = value
  }
  return claims
}
