import { canonicalLocale } from '../../contract/tenants/delivery-templates.ts'
import type { ProfileStore } from './profile-store.ts'

/** Profile fields with the user's language; the first one with a language tag is used. */
const localeFields = ['locale', 'language'] as const

/** No user has this id: an unknown user costs the same query. */
const unknownUserId = '0'.repeat(26)

/**
 * The user's language: the profile field `locale` or `language`, if the tenant's schema has one.
 * @param userId null for an unknown user, at the same cost (threat C26)
 */
export async function findUserLocale(profiles: ProfileStore, userId: string | null): Promise<string | null> {
  const profile = await profiles.find(userId ?? unknownUserId)
  for (const field of localeFields) {
    const value = profile?.values[field]
    const locale = typeof value === 'string' ? canonicalLocale(value) : null
    if (locale !== null) return locale
  }
  return null
}
