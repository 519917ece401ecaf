import assert from 'node:assert/strict'
import { recordedLog } from '../../test/support/recorded-log.ts'
import type { ServiceError } from '../core/service-error.ts'
import { createBudgets } from '../limits/budgets.ts'
import { parseLimits } from '../limits/limit-settings.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { createSmsBrake, type SmsBrake, type SmsRecipient } from './sms-brake.ts'

/** A brake over a limiter, with what it logged and how often it paused a prefix. */
export function brakeOver(limiter: RateLimiter, limitsText = '') {
  const { logger, log } = recordedLog()
  let pauses = 0
  const limits = parseLimits(limitsText)
  const brake = createSmsBrake({
    limiter,
    limits,
    budgets: createBudgets(limiter, limits),
    logger,
    onPause: () => pauses++,
  })
  return { brake, log, pauses: () => pauses }
}

/** A recipient of a tenant. */
export const to = (recipient: string, tenantId = 'tenant'): SmsRecipient => ({ tenantId, recipient })
let numbers = 0
/** A new number with the same French prefix. */
export const french = () => to(`+33612${String(++numbers).padStart(6, '0')}`)

/** Seconds to wait when refused, null when a code is counted. */
export const issue = (brake: SmsBrake, now: number, recipient = french()): Promise<number | null> =>
  brake
    .take(recipient, now, async () => {})
    .then(
      () => null,
      (error: ServiceError) => {
        assert.equal(error.code, 'TOO_MANY_REQUESTS')
        return error.details.retryAfterSeconds ?? 0
      },
    )

/** Issues `count` codes, each of which must be admitted. */
export async function issueMany(brake: SmsBrake, now: number, count: number): Promise<void> {
  for (let code = 0; code < count; code++) assert.equal(await issue(brake, now), null, `code ${code + 1} of ${count}`)
}

/** Counts `count` codes of that time as verified. */
export async function verifyMany(brake: SmsBrake, issuedAt: number, count: number): Promise<void> {
  for (let code = 0; code < count; code++) await brake.countVerified(french(), issuedAt)
}
