import { TenantPass } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import { type ErasedUser, eventRoles } from './erasure.ts'

/** A request that began before the erasure can still record an event about the user, or issue a code, for this long. */
const lateMs = 60_000
const pageSize = 200
/** Users at once; few, because each takes a connection. */
const atOnce = 4

/**
 * Housekeeping task that erases the personal parts of the older events of erased users, and of events and codes that were
 * recorded at the same time: a password reset does not lock its user, since a decoy has none to lock. A user stays marked
 * until no queued event can be from before the erasure, so nothing is missed when this process dies.
 * @throws TenantsFailed after the pass, when the work failed for some tenants
 */
export async function finishErasures(storage: Storage, now: number): Promise<void> {
  const { erasedUsers } = storage.system
  const pass = new TenantPass(storage)
  const oldest = await erasedUsers.oldestQueuedAt(null)
  const oldestOf = new Map<string, Promise<number | null>>()
  /** Of the user's own log only where others have old events: one that cannot be sealed delays no erasure elsewhere. */
  async function hasQueued({ tenantId, erasedAt }: ErasedUser): Promise<boolean> {
    const isBefore = (at: number | null) => at !== null && at <= erasedAt + lateMs
    if (!isBefore(oldest)) return false
    const ofLog = oldestOf.get(tenantId) ?? erasedUsers.oldestQueuedAt(tenantId)
    oldestOf.set(tenantId, ofLog)
    return isBefore(await ofLog)
  }
  const finish = async (user: ErasedUser) => {
    if (!(await hasQueued(user))) await finishErasure(storage, user, now)
  }
  let after: ErasedUser | null = null
  for (;;) {
    const page: ErasedUser[] = await erasedUsers.list(now - lateMs, { limit: pageSize, after })
    const left = page.values()
    const finishNext = async () => {
      for (const user of left) await pass.attempt(user.tenantId, () => finish(user))
    }
    await Promise.all(Array.from({ length: atOnce }, finishNext))
    if (page.length < pageSize) return pass.end()
    after = page.at(-1)!
  }
}

async function finishErasure(storage: Storage, { tenantId, userId }: ErasedUser, now: number): Promise<void> {
  const stores = storage.forTenant(tenantId)
  const { eventErasures } = stores
  await stores.write(async (tx) => {
    await Promise.all([
      tx.otps.cancelLive(userId, now),
      tx.messages.forgetRecipients(userId),
      tx.otps.forgetRecipients(userId),
    ])
  })
  for (const role of eventRoles) {
    let after: string | null = ''
    while (after !== null) after = await eventErasures.eraseNext(userId, role, after)
  }
  await eventErasures.finish(userId)
}
