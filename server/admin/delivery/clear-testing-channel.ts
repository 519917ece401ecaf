import type { clearTestingChannelMessages as operation } from '../../../contract/system.ts'
import type { AdminCall } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import type { PostedEntry } from '../../delivery/inbox.ts'
import { record } from '../../events/record.ts'
import { aTenant } from '../../events/subjects.ts'
import type { Storage } from '../../storage/storage.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** Entries per transaction, so that clearing a large inbox does not hold up deliveries. */
const batch = 500

/**
 * `DELETE /admin/testing-channel/messages`; the route does not exist in production. Clears what is posted when it begins, of
 * one tenant or of all. Open streams continue, because they read forward from their place.
 */
export const clearTestingChannelMessages: Handler<typeof operation> = async (
  { query: { tenantId } },
  call,
  { storage },
) => {
  if (tenantId !== undefined) await getManagedTenant(storage, tenantId, call.refuse)
  const { inbox } = storage.system
  const end = await inbox.latestPlace()
  let place = 0
  while (place < end) {
    const entries = (await inbox.after(place, batch)).filter((entry) => entry.place <= end)
    if (entries.length === 0) return
    const until = entries.at(-1)!.place
    for (const owner of ownersOf(entries)) {
      if (tenantId === undefined || owner === tenantId) await clear(storage, call, owner, { after: place, until })
    }
    place = until
  }
}

const ownersOf = (entries: readonly PostedEntry[]): Set<string> => new Set(entries.map(({ tenantId }) => tenantId))

async function clear(
  storage: Storage,
  call: AdminCall,
  tenantId: string,
  places: { readonly after: number; readonly until: number },
): Promise<void> {
  await storage.forTenant(tenantId).write(async (tx) => {
    const messages = await tx.messages.clearPosted(places.after, places.until)
    if (messages === 0) return
    await record(tx, call, { type: 'codes.cleared', subject: aTenant(tenantId), details: { messages } })
  })
}
