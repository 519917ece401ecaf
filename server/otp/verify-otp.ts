import { verifyOtp as operation } from '../../contract/otp.ts'
import type { Handler, TenantCall } from '../handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'
import { refusalsOf } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'
import { changeAddress, type Departure } from './change-address.ts'
import { noteWrongCode } from './code-budgets.ts'
import { codeContext, type Otp, verifyRefusal } from './otp.ts'
import type { Outcome } from './otp-store.ts'
import type { CodeServices } from './send-code.ts'

const refuse = refusalsOf(operation)

/**
 * `POST /otp/verify` (design 4). The code is compared with what was read; what counts is whether the guarded change
 * then applies, so racing callers get no more than `maxVerifyAttempts` answers about the code (threats D04, D05).
 */
export const verifyOtp =
  ({ keyring, budgets, delivery, smsBrake }: CodeServices): Handler<typeof operation> =>
  async ({ body: { id, scope, code } }, call) => {
    const { now, storage } = call
    const otp = requireVerifiable(await storage.otps.find(id, scope), now)
    if (!sameText(code, openCode(otp, call, keyring))) {
      requireApplied(await storage.otps.countWrongCode(id, scope, now), now)
      await noteWrongCode(budgets, { tenantId: call.tenant.tenant.id, recipient: otp.recipient }, call.address, now)
      throw refuse('OTP_INVALID_CODE')
    }
    const provesAddress = scope === 'email_verification' || scope === 'phone_verification'
    requireApplied(
      provesAddress
        ? await storage.write((tx) =>
            verifyAddress(tx, otp, { locale: otp.locale, tenant: call.tenant, delivery }, now),
          )
        : await storage.otps.verify(id, scope, now),
      now,
    )
    if (otp.deliveryMethod === 'sms') {
      await smsBrake.noteVerified({ tenantId: call.tenant.tenant.id, recipient: otp.recipient }, otp.createdAt)
    }
    if (provesAddress) delivery.wake()
    return { success: true }
  }

function requireVerifiable(otp: Otp | null, now: number): Otp & { sealedCode: string } {
  const refusal = verifyRefusal(otp, now)
  if (refusal !== null) throw refuse(refusal)
  if (!otp?.sealedCode) throw new Error('A pending one-time password has no code')
  return { ...otp, sealedCode: otp.sealedCode }
}

const openCode = (otp: Otp & { sealedCode: string }, { tenant }: TenantCall, keyring: Keyring): string =>
  keyring.open(otp.sealedCode, codeContext(tenant.tenant.id, otp.id, otp.scope, otp.recipient))

/** The change did not apply: another caller's came first, and the row as it is now says which answer is due. */
function requireApplied({ applied, otp }: Outcome, now: number): void {
  if (applied) return
  throw refuse(verifyRefusal(otp, now) ?? 'OTP_MAX_ATTEMPTS_REACHED')
}

/** Proven, used up and noted on the user's row, in one transaction; the first proof of a new address makes it the user's. */
async function verifyAddress(
  tx: Tx,
  { id, scope, userId, recipient }: Otp,
  departure: Departure,
  now: number,
): Promise<Outcome> {
  // The user first, as everywhere: what cancels the user's one-time passwords holds the user while it does.
  const user = userId === null ? null : await tx.users.hold(userId)
  const verified = await tx.otps.verify(id, scope, now)
  if (!verified.applied) return verified
  const consumed = await tx.otps.consume(id, scope, now)
  if (user === null) throw refuse('OTP_NOT_PENDING')
  const address = scope === 'email_verification' ? { email: recipient } : { phone: recipient }
  if (recipient === ('email' in address ? user.email : user.phone)) {
    await tx.users.markVerified(user.id, address, now)
    return consumed
  }
  await changeAddress(tx, user, address, departure, now)
  return consumed
}
