import type { TenantCall } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'
import { codeContext, type Otp, verifyRefusal } from './otp.ts'
import type { Outcome } from './otp-store.ts'

/** Why a code is not accepted. */
type CodeRefusal = 'OTP_INVALID_CODE' | NonNullable<ReturnType<typeof verifyRefusal>>

/**
 * Compares a code with that of a pending one-time password. A wrong one is counted by a guarded update, so of racing
 * callers no more than `maxVerifyAttempts` learn anything about the code.
 * @param onWrong called once a wrong code has been counted
 * @returns the one-time password as it was read; what counts is whether the guarded change that follows applies
 * @throws OTP_NOT_FOUND, OTP_INVALID_CODE, OTP_MAX_ATTEMPTS_REACHED, OTP_ALREADY_VERIFIED, OTP_ALREADY_CONSUMED,
 * OTP_NOT_PENDING
 */
export async function checkCode(
  otp: Otp | null,
  code: string,
  call: TenantCall<CodeRefusal>,
  keyring: Keyring,
  onWrong: (otp: Otp) => Promise<void> = async () => {},
): Promise<Otp> {
  const { now, tenantId, storage } = call
  const refusal = verifyRefusal(otp, now)
  if (refusal !== null) throw call.refuse(refusal)
  if (!otp?.sealedCode) throw new Error('A pending one-time password has no code')
  const { id, scope, recipient, sealedCode } = otp
  if (sameText(code, keyring.open(sealedCode, codeContext(tenantId, id, scope, recipient)))) return otp
  requireApplied(await storage.otps.countWrongCode(id, scope, now), call)
  await onWrong(otp)
  throw call.refuse('OTP_INVALID_CODE')
}

/** The change did not apply: another caller's came first, and the row as it is now says which answer is due. */
export function requireApplied({ applied, otp }: Outcome, { now, refuse }: TenantCall<CodeRefusal>): void {
  if (applied) return
  throw refuse(verifyRefusal(otp, now) ?? 'OTP_MAX_ATTEMPTS_REACHED')
}
