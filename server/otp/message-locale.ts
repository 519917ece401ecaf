import { availableLocales, chooseLocale } from '../delivery/templates/locale.ts'
import type { TenantCall } from '../handler.ts'
import { findUserLocale } from '../profiles/find-user-locale.ts'

/** The language of a message that a call leads to (design 8): `requested` by it, else the user's, else the nearest known. */
export async function messageLocale(
  userId: string | null,
  { tenant, storage, acceptLanguage }: TenantCall,
  requested?: string,
): Promise<string> {
  const { defaultLocale, templates } = tenant.configuration.delivery
  return chooseLocale({
    requested,
    user: await findUserLocale(storage.profiles, userId),
    acceptLanguage,
    tenantDefault: defaultLocale,
    available: availableLocales(templates ?? null),
  })
}
