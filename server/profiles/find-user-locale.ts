import { ownValue } from '../../contract/fields/profile-values.ts'
import { canonicalLocale } from '../../contract/tenants/delivery-templates.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { migrated } from './read-profile.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/** Profile fields with the user's language; the first one with a language tag is used. */
const localeFields = ['locale', 'language'] as const

/** No user has this id: an unknown user costs the same query. */
const unknownUserId = '0'.repeat(26)

/**
 * The user's language: the profile field `locale` or `language`. Reads nothing where the tenant's current schema has neither.
 * @param userId null for an unknown user, at the same cost (threat C26)
 */
export async function findUserLocale(
  userId: string | null,
  snapshot: TenantSnapshot,
  stores: Stores,
): Promise<string | null> {
  const { components } = snapshot.profileSchema.schema
  const fields = localeFields.filter((field) => components.some(({ name }) => name === field))
  if (fields.length === 0) return null
  const stored = await stores.profiles.find(userId ?? unknownUserId)
  const values = stored === null ? {} : (await migrated(stored, snapshot, stores)).values
  const shown = compiledSchemaOf(snapshot).present(values, 'operator')
  for (const field of fields) {
    const value = ownValue(shown, field)
    const locale = typeof value === 'string' ? canonicalLocale(value) : null
    if (locale !== null) return locale
  }
  return null
}
