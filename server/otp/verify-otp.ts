import type { verifyOtp as operation } from '../../contract/accounts/otp.ts'
import type { Call } from '../core/call.ts'
import type { Handler, Input } from '../core/handler.ts'
import { eventOf } from '../events/record.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../storage/storage.ts'
import type { VerifiedAddress } from './address-codes.ts'
import { spendWrongCode } from './code-budgets.ts'
import { compareCode, requireApplied } from './compare-code.ts'
import { changesAccount, type Otp, verifyRefusal } from './otp.ts'
import { verifiedFact } from './otp-events.ts'

type Given = Input<typeof operation>['body']
type VerifyCall = Call<typeof operation>

/**
 * `POST /otp/verify` (OTP-7 to OTP-13). The code is compared in the transaction of its effect, and a code that proves an
 * address of an account changes the account in it.
 */
export const verifyOtp: Handler<typeof operation> = async ({ body }, call, services) => {
  const change = changesAccount(body.scope) ? verifyAddressCode : verifyCode
  const { otp, verified } = await call.storage.write((tx) => change(tx, body, call, services))
  if (verified === null) {
    await spendWrongCode(services.budgets, otp, call)
    throw call.refuse('OTP_INVALID_CODE')
  }
  requireApplied(verified, call)
  const { deliveryMethod, recipient, createdAt } = otp
  if (deliveryMethod === 'sms') await services.smsBrake.countVerified({ tenantId: call.tenantId, recipient }, createdAt)
  const session = verified.present?.()
  return { success: true, ...(session && { session }) }
}

/** A one-time password as it was read, and the result of the change that verifies it; null for a wrong code. */
interface Verified {
  readonly otp: Otp
  readonly verified: VerifiedAddress | null
}

async function verifyCode(tx: Tx, given: Given, call: VerifyCall, { keyring }: Services): Promise<Verified> {
  const { otp, isRight } = await compareCode(tx, given, call, keyring)
  return { otp, verified: isRight ? await tx.otps.verify(otp, call.now, eventOf(call, verifiedFact(otp))) : null }
}

/** The user and the session that requested the code are locked and checked before the code is compared. */
async function verifyAddressCode(tx: Tx, given: Given, call: VerifyCall, services: Services): Promise<Verified> {
  const { addressCodes, keyring } = services
  const found = await tx.otps.find(given.id, given.scope)
  const refusal = verifyRefusal(found, call.now)
  if (found === null || refusal !== null) throw call.refuse(refusal ?? 'OTP_NOT_FOUND')
  const owner = await addressCodes.lockOwner(tx, found, call.now)
  if (owner === null) throw call.refuse('OTP_NOT_PENDING')
  const { otp, isRight } = await compareCode(tx, given, call, keyring)
  return { otp, verified: isRight ? await owner.verify(call, services) : null }
}
