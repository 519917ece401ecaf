import type { BudgetName } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from './limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from './rate-limiter.ts'

/**
 * Names the subject to count for when the first one has nothing left; null when there is none. Called only then, so it
 * may ask the database.
 */
export type FallbackSubject = () => Promise<string | null>

/**
 * What one recipient or account may cost, whoever asks (design 4). A spent budget refuses with TOO_MANY_REQUESTS and
 * the time after which it is worth asking again.
 */
export interface Budgets {
  /** Uses up one; refuses when there is none left. */
  take(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<void>
  /** Puts back the one taken at `takenAt`: what it was taken for did not happen. */
  giveBack(name: BudgetName, subject: string, takenAt: number): Promise<void>
  /** Uses up one if there is one: the deed is done already. */
  spend(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<void>
  /** Refuses when there is none left; uses up nothing. */
  require(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<void>
  /** Restores the whole budget. */
  clear(name: BudgetName, subject: string, now: number): Promise<void>
}

/** Budgets over the same limiter as the limits, so that they are shared as widely. */
export function createBudgets(limiter: RateLimiter, limits: LimitSettings): Budgets {
  async function ask(
    act: 'take' | 'peek',
    [name, subject, now, fallback]: Parameters<Budgets['take']>,
  ): Promise<Verdict | null> {
    const quota = limits[name]
    if (quota === 'off') return null
    const count = (counted: string) => limiter[act](name, counted, quota, now)
    const verdict = await count(subject)
    const other = verdict.admitted || fallback === undefined ? null : await fallback()
    return other === null ? verdict : count(other)
  }

  async function demand(act: 'take' | 'peek', asked: Parameters<Budgets['take']>): Promise<void> {
    const verdict = await ask(act, asked)
    if (verdict !== null && !verdict.admitted) {
      throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: verdict.resetSeconds })
    }
  }

  const change = async (name: BudgetName, act: (quota: Quota) => void | Promise<void>): Promise<void> => {
    const quota = limits[name]
    if (quota !== 'off') await act(quota)
  }

  return {
    take: (...asked) => demand('take', asked),
    require: (...asked) => demand('peek', asked),
    async spend(...asked) {
      await ask('take', asked)
    },
    giveBack: (name, subject, takenAt) => change(name, (quota) => limiter.giveBack(name, subject, quota, takenAt)),
    clear: (name, subject, now) => change(name, (quota) => limiter.clear(name, subject, quota, now)),
  }
}
