import type { TenantCall } from '../core/call.ts'
import { availableLocales, chooseLocale } from '../delivery/templates/locale.ts'
import { findUserLocale } from '../profiles/find-user-locale.ts'
import type { Stores } from '../storage/storage.ts'

/** What the language of a message depends on. */
export type MessageContext = Pick<TenantCall, 'now' | 'snapshot' | 'storage' | 'acceptLanguage'>

/**
 * The language of a message: the `requested` one, else the user's, else the best match for the request.
 * @param stores inside a transaction, those of the transaction
 */
export async function messageLocale(
  userId: string | null,
  { snapshot, storage, acceptLanguage }: MessageContext,
  requested?: string,
  stores: Stores = storage,
): Promise<string> {
  const { defaultLocale, templates } = snapshot.configuration.delivery
  return chooseLocale({
    requested,
    user: await findUserLocale(userId, snapshot, stores),
    acceptLanguage,
    tenantDefault: defaultLocale,
    available: availableLocales(templates ?? null),
  })
}
