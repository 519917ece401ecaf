import type { Registry } from 'prom-client'
import { budgets as budgetDefaults, limits } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Budgets } from '../limits/budgets.ts'
import type { RateLimiter, Verdict } from '../limits/rate-limiter.ts'
import { Counter } from './prometheus.ts'

/** Decorates limiter and budgets with a counter of refusals. */
export interface LimitCounts {
  /** The limiter as the request checks ask it. */
  countedLimiter(limiter: RateLimiter): RateLimiter
  countedBudgets(budgets: Budgets): Budgets
}

/** Counts the refusals of limits and budgets. `spend` is not counted: it refuses nothing. */
export function countLimited(registry: Registry): LimitCounts {
  const counter = new Counter({
    name: 'tenantry_limited_total',
    help: 'Requests refused with TOO_MANY_REQUESTS, by the limit or budget that was used up.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const limit of [...Object.keys(limits), ...Object.keys(budgetDefaults)]) counter.inc({ limit }, 0)

  async function counting<T>(limit: string, asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'TOO_MANY_REQUESTS') counter.inc({ limit })
      throw error
    }
  }

  return {
    countedLimiter: (limiter) => ({
      take(name, subject, quota, now) {
        const judge = (verdict: Verdict) => {
          // `resend/48` counts networks under the limit `resend`.
          if (!verdict.admitted) counter.inc({ limit: name.split('/', 1)[0]! })
          return verdict
        }
        const taken = limiter.take(name, subject, quota, now)
        return taken instanceof Promise ? taken.then(judge) : judge(taken)
      },
      peek: (name, subject, quota, now) => limiter.peek(name, subject, quota, now),
      giveBack: (name, subject, quota, takenAt) => limiter.giveBack(name, subject, quota, takenAt),
      clear: (name, subject, quota, now) => limiter.clear(name, subject, quota, now),
    }),

    countedBudgets: (budgets) => ({
      take: (name, ...rest) => counting(name, budgets.take(name, ...rest)),
      require: (name, ...rest) => counting(name, budgets.require(name, ...rest)),
      spend: (...asked) => budgets.spend(...asked),
      giveBack: (...asked) => budgets.giveBack(...asked),
      clear: (...asked) => budgets.clear(...asked),
    }),
  }
}
