import type { Storage } from '../storage/storage.ts'
import type { Tenant } from '../tenants/tenant.ts'

/** Tenants listed in the message. */
const mostNamed = 5
const pageSize = 200

/** Thrown at the end of a pass that failed for some tenants; the cause is the first error. */
export class TenantsFailed extends Error {
  override name = 'TenantsFailed'

  constructor(tenantIds: readonly string[], cause: unknown) {
    const rest = tenantIds.length - mostNamed
    const named = tenantIds.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
    super(`failed for ${tenantIds.length === 1 ? 'tenant' : 'tenants'} ${named}; all other tenants were processed`, {
      cause,
    })
  }
}

/** One background pass over tenants. The work for one tenant may fail without affecting the others. */
export class TenantPass {
  readonly #database: Pick<Storage, 'ping'>
  readonly #failed = new Set<string>()
  #firstError: unknown

  constructor(database: Pick<Storage, 'ping'>) {
    this.#database = database
  }

  /**
   * Does the work for one tenant.
   * @returns false when it failed
   * @throws when it failed and the database does not answer, because the work for every other tenant would fail too,
   *   slowly
   */
  async attempt(tenantId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      this.#firstError ??= error
      this.#failed.add(tenantId)
      await this.#database.ping()
      return false
    }
  }

  /** @throws TenantsFailed */
  end(): void {
    if (this.#failed.size > 0) throw new TenantsFailed([...this.#failed], this.#firstError)
  }
}

/**
 * Does the work for every tenant that is not deleted, in the order of their ids.
 * @param known what earlier passes remember by tenant id; tenants that were deleted since are removed from it, or each
 *   tenant that ever existed would stay in memory
 * @throws TenantsFailed after the pass, when the work failed for some of them
 */
export async function eachTenant(
  storage: Storage,
  work: (tenant: Tenant) => Promise<void>,
  known = new Map<string, unknown>(),
): Promise<void> {
  const pass = new TenantPass(storage)
  const deleted = new Set(known.keys())
  let cursor: string | null = null
  for (;;) {
    const tenants: Tenant[] = await storage.system.tenants.list({ limit: pageSize, cursor })
    for (const tenant of tenants) {
      deleted.delete(tenant.id)
      await pass.attempt(tenant.id, () => work(tenant))
    }
    if (tenants.length < pageSize) break
    cursor = tenants.at(-1)?.id ?? null
  }
  for (const tenantId of deleted) known.delete(tenantId)
  pass.end()
}
