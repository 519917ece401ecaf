import { chooseLocale } from '../delivery/templates/locale.ts'
import type { UserCall } from '../handler.ts'
import { findUserLocale } from '../profiles/find-user-locale.ts'

/** The language of a notice to the signed-in user (design 8). */
export const localeOf = async ({ storage, tenant, user, acceptLanguage }: UserCall): Promise<string | null> =>
  chooseLocale({
    user: await findUserLocale(storage.profiles, user.id),
    acceptLanguage,
    tenantDefault: tenant.configuration.delivery.defaultLocale,
  })
