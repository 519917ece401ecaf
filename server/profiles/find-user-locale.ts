import { canonicalLocale } from '../../contract/delivery-templates.ts'
import type { ProfileStore } from './profile-store.ts'

/** Profile fields that say which language a user wants to be written to in; the first that holds a language tag. */
const localeFields = ['locale', 'language'] as const

/** No user has this id: who is unknown costs the same look-up. */
const nobody = '0'.repeat(26)

/**
 * The language a user has chosen: the profile field `locale` or `language`, where the tenant's schema has one.
 * @param userId null for nobody, at the same cost (threat C26)
 */
export async function findUserLocale(profiles: ProfileStore, userId: string | null): Promise<string | null> {
  const profile = await profiles.find(userId ?? nobody)
  for (const field of localeFields) {
    const value = profile?.values[field]
    const locale = typeof value === 'string' ? canonicalLocale(value) : null
    if (locale !== null) return locale
  }
  return null
}
