import type { BudgetName } from '../../contract/limits.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from './limit-settings.ts'
import type { Quota, RateLimiter, Verdict } from './rate-limiter.ts'

/**
 * Finds the subject to count for when the budget of the first is used up; null when there is none. Only called then, so it
 * may query the database.
 */
export type FallbackSubject = () => Promise<string | null>

/**
 * Limits per recipient or account, whichever client sends the request. A used up budget refuses with TOO_MANY_REQUESTS
 * and the time until the next unit is available.
 */
export interface Budgets {
  /**
   * Takes one unit; refuses when none is left.
   * @returns the subject that it was counted for, to give it back
   */
  take(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<string>
  /** Returns the unit taken at `takenAt`, because the action did not happen. */
  giveBack(name: BudgetName, subject: string, takenAt: number): Promise<void>
  /** Takes one unit if one is left; for an action that already happened. */
  spend(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<void>
  /** Refuses when no unit is left; takes none. */
  require(name: BudgetName, subject: string, now: number, fallback?: FallbackSubject): Promise<void>
  /** Restores the whole budget. */
  clear(name: BudgetName, subject: string, now: number): Promise<void>
}

/** Budgets on the limiter of the limits, shared by the same processes. */
export function createBudgets(limiter: RateLimiter, limits: LimitSettings): Budgets {
  async function ask(
    act: 'take' | 'peek',
    [name, subject, now, fallback]: Parameters<Budgets['take']>,
  ): Promise<{ verdict: Verdict | null; counted: string }> {
    const quota = limits[name]
    if (quota === 'off') return { verdict: null, counted: subject }
    const count = async (counted: string) => ({ verdict: await limiter[act](name, counted, quota, now), counted })
    const first = await count(subject)
    const other = first.verdict.admitted || fallback === undefined ? null : await fallback()
    return other === null ? first : count(other)
  }

  async function demand(act: 'take' | 'peek', asked: Parameters<Budgets['take']>): Promise<string> {
    const { verdict, counted } = await ask(act, asked)
    if (verdict !== null && !verdict.admitted) {
      throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: verdict.resetSeconds })
    }
    return counted
  }

  const change = async (name: BudgetName, act: (quota: Quota) => void | Promise<void>): Promise<void> => {
    const quota = limits[name]
    if (quota !== 'off') await act(quota)
  }

  return {
    take: (...asked) => demand('take', asked),
    async require(...asked) {
      await demand('peek', asked)
    },
    async spend(...asked) {
      await ask('take', asked)
    },
    giveBack: (name, subject, takenAt) => change(name, (quota) => limiter.giveBack(name, subject, quota, takenAt)),
    clear: (name, subject, now) => change(name, (quota) => limiter.clear(name, subject, quota, now)),
  }
}
