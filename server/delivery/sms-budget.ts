import type { FastifyBaseLogger } from 'fastify'
import { utcDay } from '../core/utc-day.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { PermanentFailure } from './provider.ts'

/** Enforces the daily SMS budget of tenants. */
export class SmsBudget {
  readonly #storage: Storage
  readonly #logger: FastifyBaseLogger

  constructor({ storage, logger }: { readonly storage: Storage; readonly logger: FastifyBaseLogger }) {
    this.#storage = storage
    this.#logger = logger
  }

  /**
   * Counts one SMS against the tenant's budget of the day, then sends it; the count is taken back when sending fails.
   * @throws PermanentFailure when the budget is used up; otherwise what `send` throws
   */
  async charge<T>({ tenant, configuration }: TenantSnapshot, now: number, send: () => Promise<T>): Promise<T> {
    const spending = this.#storage.forTenant(tenant.id).smsSpending
    const day = utcDay(now)
    if (!(await spending.spend(day, configuration.delivery.smsDailyBudget))) {
      this.#logger.warn({ tenantId: tenant.id, day }, 'daily SMS budget of the tenant is used up')
      throw new PermanentFailure('The SMS budget of the day is used up')
    }
    try {
      return await send()
    } catch (error) {
      await spending.giveBack(day)
      throw error
    }
  }
}
