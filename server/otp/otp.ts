import type { DeliveryMethod, OtpScope, OtpState } from '../../contract/accounts/otp.ts'

/**
 * The scope of a code that undoes a change of address. Internal: the API does not include it, so `/otp` cannot resend,
 * verify or look up such a code.
 */
export const recoveryScope = 'address_recovery' as const

/** A scope as stored: those of the API, and the internal one. */
export type StoredOtpScope = OtpScope | typeof recoveryScope

/** Whether verifying a code of this scope changes an account; it then requires the session that requested it. */
export const changesAccount = (scope: StoredOtpScope): boolean =>
  scope === 'email_verification' || scope === 'phone_verification'

/** Who a message goes to. */
export interface Recipient {
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
}

/** The settings that a one-time password is issued with and keeps. */
export interface OtpPolicy {
  readonly length: number
  readonly ttlSeconds: number
  readonly resendIntervalSeconds: number
  readonly maxResends: number
  readonly maxVerifyAttempts: number
}

/** A one-time password as stored; times in epoch milliseconds. */
export interface Otp {
  readonly id: string
  readonly scope: StoredOtpScope
  /** As stored; expiry follows from the time, see `stateOf`. */
  readonly state: Exclude<OtpState, 'expired'>
  /** null for a sign-in without a user yet, and for decoys. */
  readonly userId: string | null
  /**
   * If verifying it changes the account, the session that requested it. Of a proof of the user, the session that it was
   * consumed in. null for all others.
   */
  readonly sessionId: string | null
  /** Stands for an unknown address under enumeration protection; never delivered. */
  readonly decoy: boolean
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  /** Language of its messages, BCP 47; null for the default. A resend uses the same. */
  readonly locale: string | null
  /** Ciphertext under the keyring, bound to `codeContext`; null once it is no longer pending. */
  readonly sealedCode: string | null
  readonly resendIntervalSeconds: number
  readonly maxResends: number
  readonly maxVerifyAttempts: number
  readonly resendCount: number
  readonly wrongCodes: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastSentAt: number
  /** For a code that undoes a change of address: whether the account had a password before. Null for all others. */
  readonly hadPassword: boolean | null
  /** For such a code: when the lost address had been verified. Null for all others. */
  readonly addressVerifiedAt: number | null
}

/** The context of a sealed code, so that one row's ciphertext cannot be opened in another row (threat F10). */
export const codeContext = (tenantId: string, id: string, scope: StoredOtpScope, recipient: string): string[] => [
  'otp-code',
  tenantId,
  id,
  scope,
  recipient,
]

/** The state at a time: all but consumed ones expire, at the instant `expiresAt`. */
export function stateOf(otp: Pick<Otp, 'state' | 'expiresAt'>, now: number): OtpState {
  return otp.state !== 'consumed' && now >= otp.expiresAt ? 'expired' : otp.state
}

/** When the next resend is allowed, in epoch milliseconds. */
export const nextResendAt = (otp: Otp): number => otp.lastSentAt + otp.resendIntervalSeconds * 1000

/** Why a resend is refused, in the API's order (RESEND-2 to RESEND-6); null when it is allowed. */
export function resendRefusal(otp: Otp | null, now: number) {
  const state = otp && stateOf(otp, now)
  if (!otp || state === 'expired') return 'OTP_NOT_FOUND'
  if (state !== 'pending') return 'OTP_NOT_PENDING'
  // Without an interval, the clock of another process may be some milliseconds ahead.
  if (otp.resendIntervalSeconds > 0 && now < nextResendAt(otp)) return 'OTP_RESEND_INTERVAL_NOT_EXPIRED'
  if (otp.resendCount >= otp.maxResends) return 'OTP_MAX_RESENDS_REACHED'
  return null
}

/** Why no code is compared (OTP-7, OTP-8); null when one may be. */
export function verifyRefusal(otp: Otp | null, now: number) {
  switch (otp && stateOf(otp, now)) {
    case 'pending':
      return null
    case 'verified':
      return 'OTP_ALREADY_VERIFIED'
    case 'consumed':
      return 'OTP_ALREADY_CONSUMED'
    case 'locked':
      return 'OTP_MAX_ATTEMPTS_REACHED'
    case 'cancelled':
      return 'OTP_NOT_PENDING'
    default:
      return 'OTP_NOT_FOUND'
  }
}

/** Why it cannot be consumed (RESET-10); null when it is verified and not expired. */
export function consumeRefusal(otp: Otp | null, now: number) {
  switch (otp && stateOf(otp, now)) {
    case 'verified':
      return null
    case 'consumed':
      return 'OTP_ALREADY_CONSUMED'
    case 'pending':
    case 'locked':
    case 'cancelled':
      return 'OTP_NOT_CONSUMABLE'
    default:
      return 'OTP_NOT_FOUND'
  }
}
