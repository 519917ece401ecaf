import type { TenantCall } from '../core/call.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'
import type { Stores } from '../storage/storage.ts'
import { codeContext, type Otp, type StoredOtpScope, verifyRefusal } from './otp.ts'
import { recordWrongCode } from './otp-events.ts'
import type { Outcome } from './otp-store.ts'

/** Why a code is not accepted. */
type CodeRefusal = 'OTP_INVALID_CODE' | NonNullable<ReturnType<typeof verifyRefusal>>

/** A code that was sent for a one-time password. */
interface GivenCode {
  readonly id: string
  readonly scope: StoredOtpScope
  readonly code: string
}

/** A one-time password as it was when a code was compared with its own. */
interface ComparedCode {
  readonly otp: Otp
  readonly isRight: boolean
}

/**
 * Compares a code with the code of a pending one-time password. Its row is locked first and a wrong code is counted in the
 * same transaction, so that codes which arrive at once are compared one after another, and no more than
 * `maxVerifyAttempts` of them. A caller that also locks the user does so first.
 * @throws OTP_NOT_FOUND and the like when no code may be compared
 */
export async function compareCode(
  { otps, events }: Pick<Stores, 'otps' | 'events'>,
  { id, scope, code }: GivenCode,
  call: TenantCall<CodeRefusal>,
  keyring: Keyring,
): Promise<ComparedCode> {
  const locked = await otps.lockPending(id, scope, call.now)
  const otp = requireApplied(locked, call)
  const isRight = sameText(code, codeOf(otp, call, keyring))
  if (!isRight) {
    const counted = await otps.countWrongCode(id, scope, call.now)
    await recordWrongCode({ events }, call, requireApplied(counted, call))
  }
  return { otp, isRight }
}

function codeOf({ id, scope, recipient, sealedCode }: Otp, { tenantId }: TenantCall, keyring: Keyring): string {
  if (!sealedCode) throw new Error('A pending one-time password has no code')
  return keyring.open(sealedCode, codeContext(tenantId, id, scope, recipient))
}

/** Refuses a change that did not apply because another call came first; the current row decides the code. */
export function requireApplied({ applied, otp }: Outcome, { now, refuse }: TenantCall<CodeRefusal>): Otp {
  if (applied && otp !== null) return otp
  throw refuse(verifyRefusal(otp, now) ?? 'OTP_MAX_ATTEMPTS_REACHED')
}
