import type { FastifyBaseLogger } from 'fastify'
import { utcDay } from '../core/utc-day.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { PermanentFailure, TemporaryFailure } from './provider.ts'

/** Enforces the daily SMS budget of tenants. */
export class SmsBudget {
  readonly #storage: Storage
  readonly #logger: FastifyBaseLogger
  /** How many messages this process is sending, by the tenant that is charged. */
  readonly #sending = new Map<string, number>()

  constructor({ storage, logger }: { readonly storage: Storage; readonly logger: FastifyBaseLogger }) {
    this.#storage = storage
    this.#logger = logger
  }

  /**
   * Counts one SMS against the tenant's budget of the day, then sends it; the count is taken back when sending fails.
   * @throws PermanentFailure when the budget is used up; TemporaryFailure while messages that are being sent hold the rest
   * of it, because those that fail give it back; otherwise what `send` throws
   */
  async charge<T>({ tenant, configuration }: TenantSnapshot, now: number, send: () => Promise<T>): Promise<T> {
    const spending = this.#storage.forTenant(tenant.id).smsSpending
    const day = utcDay(now)
    if (!(await spending.spend(day, configuration.delivery.smsDailyBudget))) {
      if (this.#sending.has(tenant.id)) {
        throw new TemporaryFailure('The rest of the SMS budget of the day is held by messages that are being sent')
      }
      this.#logger.warn({ tenantId: tenant.id, day }, 'daily SMS budget of the tenant is used up')
      throw new PermanentFailure('The SMS budget of the day is used up')
    }
    this.#count(tenant.id, 1)
    try {
      return await send()
    } catch (error) {
      await spending.giveBack(day)
      throw error
    } finally {
      this.#count(tenant.id, -1)
    }
  }

  #count(tenantId: string, change: 1 | -1): void {
    const sending = (this.#sending.get(tenantId) ?? 0) + change
    if (sending === 0) this.#sending.delete(tenantId)
    else this.#sending.set(tenantId, sending)
  }
}
