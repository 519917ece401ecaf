import type { TenantCall } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'
import { codeContext, type Otp, verifyRefusal } from './otp.ts'
import { recordWrongCode } from './otp-events.ts'
import type { Outcome } from './otp-store.ts'

/** Why a code is not accepted. */
type CodeRefusal = 'OTP_INVALID_CODE' | NonNullable<ReturnType<typeof verifyRefusal>>

/**
 * Compares a code with the code of a pending one-time password. A guarded update counts a wrong one, so that of
 * concurrent callers no more than `maxVerifyAttempts` learn anything about the code.
 * @returns the one-time password as it was read; only the guarded change that follows decides
 */
export async function checkCode(
  otp: Otp | null,
  code: string,
  call: TenantCall<CodeRefusal>,
  keyring: Keyring,
  onWrong: (otp: Otp) => Promise<void> = async () => {},
): Promise<Otp> {
  const pending = requirePending(otp, call)
  if (isCodeOf(pending, code, call, keyring)) return pending
  return refuseWrongCode(pending, call, onWrong)
}

/** Refuses when no code may be compared. */
export function requirePending(otp: Otp | null, { now, refuse }: TenantCall<CodeRefusal>): Otp {
  const refusal = verifyRefusal(otp, now)
  if (otp === null || refusal !== null) throw refuse(refusal ?? 'OTP_NOT_FOUND')
  return otp
}

/** Whether it is the code of this pending one-time password. */
export function isCodeOf(
  { id, scope, recipient, sealedCode }: Otp,
  code: string,
  { tenantId }: TenantCall,
  keyring: Keyring,
): boolean {
  if (!sealedCode) throw new Error('A pending one-time password has no code')
  return sameText(code, keyring.open(sealedCode, codeContext(tenantId, id, scope, recipient)))
}

/**
 * Counts, records and refuses a wrong code.
 * @param onWrong called only when it counted
 */
export async function refuseWrongCode(
  otp: Otp,
  call: TenantCall<CodeRefusal>,
  onWrong: (otp: Otp) => Promise<void>,
): Promise<never> {
  const counted = await call.storage.write(async (tx) => {
    const outcome = await tx.otps.countWrongCode(otp.id, otp.scope, call.now)
    if (outcome.applied && outcome.otp !== null) await recordWrongCode(tx, call, outcome.otp)
    return outcome
  })
  requireApplied(counted, call)
  await onWrong(otp)
  throw call.refuse('OTP_INVALID_CODE')
}

/** Refuses a change that did not apply because another call came first; the current row decides the code. */
export function requireApplied({ applied, otp }: Outcome, { now, refuse }: TenantCall<CodeRefusal>): void {
  if (applied) return
  throw refuse(verifyRefusal(otp, now) ?? 'OTP_MAX_ATTEMPTS_REACHED')
}
