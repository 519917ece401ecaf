import type { BudgetName } from '../../contract/limits.ts'
import { ServiceError } from '../service-error.ts'
import type { LimitSettings } from './limit-settings.ts'
import type { RateLimiter } from './rate-limiter.ts'

/**
 * What one recipient or account may cost, whoever asks (design 4). A spent budget refuses with TOO_MANY_REQUESTS and
 * the time after which it is worth asking again.
 */
export interface Budgets {
  /** Uses up one; refuses when there is none left. */
  take(name: BudgetName, subject: string, now: number): Promise<void>
  /** Puts back the one taken at `takenAt`: what it was taken for did not happen. */
  giveBack(name: BudgetName, subject: string, takenAt: number): Promise<void>
  /** Uses up one if there is one: the deed is done already. */
  spend(name: BudgetName, subject: string, now: number): Promise<void>
  /** Refuses when there is none left; uses up nothing. */
  require(name: BudgetName, subject: string, now: number): Promise<void>
}

/** Budgets over the same limiter as the limits, so that they are shared as widely. */
export function createBudgets(limiter: RateLimiter, limits: LimitSettings): Budgets {
  const refuse = (retryAfterSeconds: number) => new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  return {
    async take(name, subject, now) {
      const quota = limits[name]
      if (quota === 'off') return
      const verdict = await limiter.take(name, subject, quota, now)
      if (!verdict.admitted) throw refuse(verdict.resetSeconds)
    },
    async giveBack(name, subject, takenAt) {
      const quota = limits[name]
      if (quota !== 'off') await limiter.giveBack(name, subject, quota, takenAt)
    },
    async spend(name, subject, now) {
      const quota = limits[name]
      if (quota !== 'off') await limiter.take(name, subject, quota, now)
    },
    async require(name, subject, now) {
      const quota = limits[name]
      if (quota === 'off') return
      const verdict = await limiter.peek(name, subject, quota, now)
      if (!verdict.admitted) throw refuse(verdict.resetSeconds)
    },
  }
}
