import type { z } from 'zod'
import type { DeliveryMethod, IssuedOtp } from '../../contract/accounts/otp.ts'
import { timestamp } from '../../contract/envelope.ts'
import { ulid } from '../core/ids.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { drawCode } from '../secrets/random-code.ts'
import { codeContext, type Otp, type OtpPolicy, type StoredOtpScope } from './otp.ts'

/** The recipient and purpose of a new one-time password. */
export interface NewOtpFor {
  readonly tenantId: string
  readonly scope: StoredOtpScope
  readonly userId: string | null
  /** The session that requests it, if verifying it changes the account. */
  readonly sessionId?: string | null
  readonly hadPassword?: boolean
  readonly addressVerifiedAt?: number | null
  readonly decoy: boolean
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly locale?: string | null
}

/** A new one-time password: new id, new code, the current policy. Its first message counts as a send. */
export function newOtp(to: NewOtpFor, policy: OtpPolicy, keyring: Keyring, now: number): Otp {
  const id = ulid(now)
  const { tenantId, ...rest } = to
  return {
    ...rest,
    locale: to.locale ?? null,
    sessionId: to.sessionId ?? null,
    hadPassword: to.hadPassword ?? null,
    addressVerifiedAt: to.addressVerifiedAt ?? null,
    id,
    state: 'pending',
    sealedCode: keyring.seal(drawCode(policy.length), codeContext(tenantId, id, to.scope, to.recipient)),
    resendIntervalSeconds: policy.resendIntervalSeconds,
    maxResends: policy.maxResends,
    maxVerifyAttempts: policy.maxVerifyAttempts,
    resendCount: 0,
    wrongCodes: 0,
    createdAt: now,
    expiresAt: now + policy.ttlSeconds * 1000,
    lastSentAt: now,
  }
}

/** The response of the operation that issued it. */
export const presentIssued = (otp: Otp): z.infer<typeof IssuedOtp> => ({
  id: otp.id,
  createdAt: timestamp(otp.createdAt),
  expiresAt: timestamp(otp.expiresAt),
  resendIntervalSeconds: otp.resendIntervalSeconds,
})
