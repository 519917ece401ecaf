import { TenantPass } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantDirectory } from './tenant.ts'

/**
 * Rows of a deleted tenant are retained for longer than a request accepted earlier, or a message being sent, can take:
 * what these write is erased too. No foreign key would refuse it later.
 */
const delayMs = 5 * 60_000
/** Rows per transaction. Small, so that a transaction does not block other writers for long. */
const batch = 100

/**
 * Erases every row of each tenant that was deleted at least five minutes ago.
 * @throws TenantsFailed after the pass, when some could not be erased
 */
export async function eraseDeletedTenants(storage: Storage, now: number): Promise<void> {
  const { tenants } = storage.system
  const pass = new TenantPass(storage)
  /** Tenants that failed stay first in the order and are skipped. */
  let failed = 0
  for (;;) {
    const id = await tenants.nextDeleted(now - delayMs, failed)
    if (id === null) return pass.end()
    const erased = await pass.attempt(id, () => eraseTenant(tenants, id, batch))
    if (!erased) failed++
  }
}

/** Erases a deleted tenant, `rows` per transaction. */
export async function eraseTenant(tenants: Pick<TenantDirectory, 'erase'>, id: string, rows: number): Promise<void> {
  let from: number | null = 0
  while (from !== null) from = await tenants.erase(id, rows, from)
}
