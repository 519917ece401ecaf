import type { TenantCall } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'
import { codeContext, type Otp, verifyRefusal } from './otp.ts'
import type { Outcome } from './otp-store.ts'

/** Why a code is not accepted. */
type CodeRefusal = 'OTP_INVALID_CODE' | NonNullable<ReturnType<typeof verifyRefusal>>

/**
 * Compares a code with the code of a pending one-time password. A guarded update counts a wrong one, so that of
 * concurrent callers no more than `maxVerifyAttempts` learn anything about the code.
 * @param onWrong called after a wrong code was counted
 * @returns the one-time password as it was read; only the guarded change that follows decides
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

/** Refuses a change that did not apply because another call came first; the current row decides the code. */
export function requireApplied({ applied, otp }: Outcome, { now, refuse }: TenantCall<CodeRefusal>): void {
  if (applied) return
  throw refuse(verifyRefusal(otp, now) ?? 'OTP_MAX_ATTEMPTS_REACHED')
}
