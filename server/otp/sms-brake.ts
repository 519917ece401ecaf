import type { FastifyBaseLogger } from 'fastify'
import { phoneNumbers } from '../../contract/phone-number.ts'
import type { Budgets } from '../limits/budgets.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'

/** The recipient of an SMS code; `recipient` in E.164. */
export interface SmsRecipient {
  readonly tenantId: string
  readonly recipient: string
}

/** Stops SMS codes to prefixes where too few are verified, a sign of SMS pumping fraud. */
export interface SmsBrake {
  /**
   * Counts a new code, issued at `now` (epoch milliseconds).
   * @param issue when it throws, no code was issued, and none is counted
   * @throws TOO_MANY_REQUESTS while the prefix is paused
   */
  take<T>(to: SmsRecipient, now: number, issue: () => Promise<T>): Promise<T>
  /**
   * Counts the verification of a code by the time it was issued. Never rejects, because the code is verified already.
   */
  countVerified(to: SmsRecipient, issuedAt: number): Promise<void>
}

/** The counters of the brake, and the listener of its pauses. */
interface SmsBrakeOptions {
  readonly limiter: RateLimiter
  readonly limits: LimitSettings
  readonly budgets: Budgets
  readonly logger: FastifyBaseLogger
  readonly onPause: () => void
}

const countedDigits = 3
/** Higher than any prefix reaches: verified codes are counted, not limited. */
const unlimited = 1_000_000

/**
 * The country code of an E.164 number and its next three digits, such as `+33612`: fraudsters buy number ranges of this
 * size.
 */
export function smsPrefix(phone: string): string {
  const code = phoneNumbers().parsePhoneNumberFromString(phone)?.countryCallingCode ?? ''
  return phone.slice(0, 1 + code.length + countedDigits)
}

const noBrake: SmsBrake = { take: (_to, _now, issue) => issue(), async countVerified() {} }

const subjectOf = (tenantId: string, prefix: string): string => `${tenantId} ${prefix}`

/**
 * Per tenant and prefix: once `sms-prefix-codes` are issued within its window, further codes require that the share
 * `sms-prefix-verified` of them is verified. Otherwise the prefix is paused for `sms-prefix-pause`, or until that share
 * is reached. Setting any of the three to `off` disables the brake.
 */
export function createSmsBrake({ limiter, limits, budgets, logger, onPause }: SmsBrakeOptions): SmsBrake {
  const codes = limits['sms-prefix-codes']
  const pause = limits['sms-prefix-pause']
  const share = limits['sms-prefix-verified']
  if (codes === 'off' || pause === 'off' || share === 'off') return noBrake
  const verifiedQuota = { quota: unlimited, windowSeconds: codes.windowSeconds }

  const count = async (tenantId: string, prefix: string, now: number): Promise<void> => {
    const subject = subjectOf(tenantId, prefix)
    const { remaining } = await limiter.peek('sms-prefix-verified', subject, verifiedQuota, now)
    const verified = unlimited - remaining
    // Late verifications end the pause: many users of a prefix may have requested codes at the same time.
    if (verified * 100 < codes.quota * share) await budgets.require('sms-prefix-pause', subject, now)

    // The first codes of the window, or one more than the verified codes suffice for.
    const quota = Math.max(codes.quota, Math.floor((verified * 100) / share) + 1)
    const counted = await limiter.take('sms-prefix-codes', subject, { ...codes, quota }, now)
    if (counted.admitted) return
    if ((await limiter.take('sms-prefix-pause', subject, pause, now)).admitted) {
      onPause()
      logger.warn({ tenantId, prefix, codes: quota, verified }, 'SMS prefix paused: too few of its codes are verified')
    }
    await budgets.require('sms-prefix-pause', subject, now)
  }

  return {
    async take({ tenantId, recipient }, now, issue) {
      const prefix = smsPrefix(recipient)
      await count(tenantId, prefix, now)
      try {
        return await issue()
      } catch (error) {
        await limiter.giveBack('sms-prefix-codes', subjectOf(tenantId, prefix), codes, now)
        throw error
      }
    },

    async countVerified({ tenantId, recipient }, issuedAt) {
      try {
        await limiter.take('sms-prefix-verified', subjectOf(tenantId, smsPrefix(recipient)), verifiedQuota, issuedAt)
      } catch (error) {
        logger.warn({ tenantId, err: error }, 'failed to count a verified SMS code')
      }
    },
  }
}
