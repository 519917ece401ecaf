import type { OtpState } from '../../contract/accounts/otp.ts'
import type { ErrorCode } from '../../contract/errors.ts'

/**
 * A model of a reset OTP, independent of the server's code: it records the time of each event and derives from them the
 * answer to any request.
 */
export interface OtpModel {
  readonly policy: ModelPolicy
  readonly issuedAt: number
  now: number
  stored: Exclude<OtpState, 'expired'>
  wrongCodes: number
  sends: number
  lastSentAt: number
  userDeleted: boolean
  passwordChanged: boolean
}

export interface ModelPolicy {
  readonly ttlSeconds: number
  readonly resendIntervalSeconds: number
  readonly maxResends: number
  readonly maxVerifyAttempts: number
}

export type Outcome = 'done' | ErrorCode

export const issued = (policy: ModelPolicy, now: number): OtpModel => ({
  policy,
  issuedAt: now,
  now,
  stored: 'pending',
  wrongCodes: 0,
  sends: 1,
  lastSentAt: now,
  userDeleted: false,
  passwordChanged: false,
})

/** A consumed OTP does not expire. */
export function stateIn({ stored, issuedAt, now, policy }: OtpModel): OtpState {
  return stored !== 'consumed' && now >= issuedAt + policy.ttlSeconds * 1000 ? 'expired' : stored
}

/** The rules of a resend, in their order. */
export function resend(model: OtpModel): Outcome {
  const state = stateIn(model)
  if (state === 'expired') return 'OTP_NOT_FOUND'
  if (state !== 'pending') return 'OTP_NOT_PENDING'
  if (model.now - model.lastSentAt < model.policy.resendIntervalSeconds * 1000) return 'OTP_RESEND_INTERVAL_NOT_EXPIRED'
  if (model.sends > model.policy.maxResends) return 'OTP_MAX_RESENDS_REACHED'
  model.sends++
  model.lastSentAt = model.now
  return 'done'
}

/** The last allowed wrong code is answered with OTP_INVALID_CODE too. */
export function verify(model: OtpModel, isRight: boolean): Outcome {
  const refusals: Partial<Record<OtpState, ErrorCode>> = {
    expired: 'OTP_NOT_FOUND',
    verified: 'OTP_ALREADY_VERIFIED',
    consumed: 'OTP_ALREADY_CONSUMED',
    locked: 'OTP_MAX_ATTEMPTS_REACHED',
    cancelled: 'OTP_NOT_PENDING',
  }
  const refusal = refusals[stateIn(model)]
  if (refusal !== undefined) return refusal
  if (isRight) {
    model.stored = 'verified'
    return 'done'
  }
  model.wrongCodes++
  if (model.wrongCodes === model.policy.maxVerifyAttempts) model.stored = 'locked'
  return 'OTP_INVALID_CODE'
}

/** The rules of a confirm. */
export function confirm(model: OtpModel): Outcome {
  const state = stateIn(model)
  if (state === 'expired') return 'OTP_NOT_FOUND'
  if (state === 'consumed') return 'OTP_ALREADY_CONSUMED'
  if (state !== 'verified') return 'OTP_NOT_CONSUMABLE'
  model.stored = 'consumed'
  model.passwordChanged = true
  return 'done'
}

/** Deleting the user cancels a live OTP. */
export function deleteUser(model: OtpModel): Outcome {
  if (model.userDeleted) return 'USER_NOT_FOUND'
  model.userDeleted = true
  const state = stateIn(model)
  if (state !== 'consumed' && state !== 'expired') model.stored = 'cancelled'
  return 'done'
}

/** The answer of `POST /otp/status`. */
export function statusOf(model: OtpModel) {
  const state = stateIn(model)
  const { policy, sends, wrongCodes, lastSentAt, issuedAt } = model
  const resendsRemaining = state === 'pending' ? policy.maxResends + 1 - sends : 0
  const resendAt = lastSentAt + policy.resendIntervalSeconds * 1000
  const isInTime = resendAt < issuedAt + policy.ttlSeconds * 1000
  return {
    state,
    resendsRemaining,
    attemptsRemaining: state === 'pending' ? policy.maxVerifyAttempts - wrongCodes : 0,
    nextResendAt: resendsRemaining > 0 && isInTime ? new Date(resendAt).toISOString() : null,
  }
}
