import type { verifyOtp as operation } from '../../contract/otp.ts'
import type { Call, Handler, Input } from '../core/handler.ts'
import { eventOf } from '../events/record.ts'
import type { Services } from '../services.ts'
import type { VerifiedAddress } from './address-codes.ts'
import { checkCode, isCodeOf, refuseWrongCode, requireApplied, requirePending } from './check-code.ts'
import { recordWrongCode } from './code-budgets.ts'
import { changesAccount, type Otp, stateOf } from './otp.ts'
import { verifiedFact } from './otp-events.ts'

type Given = Input<typeof operation>['body']
type VerifyCall = Call<typeof operation>

/**
 * `POST /otp/verify` (OTP-7 to OTP-13). A code that proves an address of an account changes the account in the same
 * transaction.
 */
export const verifyOtp: Handler<typeof operation> = async ({ body }, call, services) => {
  const change = changesAccount(body.scope) ? verifyAddressCode : verifyCode
  const { otp, verified } = await change(body, call, services)
  requireApplied(verified, call)
  const { deliveryMethod, recipient, createdAt } = otp
  if (deliveryMethod === 'sms') await services.smsBrake.countVerified({ tenantId: call.tenantId, recipient }, createdAt)
  const session = verified.present?.()
  return { success: true, ...(session && { session }) }
}

/** A one-time password as it was read, and the result of the change that verifies it. */
interface Verified {
  readonly otp: Otp
  readonly verified: VerifiedAddress
}

/**
 * Reads, compares and changes the row in one piece of work: on SQLite it takes one turn of the event loop. A wrong code is
 * counted after it.
 */
async function verifyCode({ id, scope, code }: Given, call: VerifyCall, services: Services): Promise<Verified> {
  const { otp, verified } = await call.storage.writeOptimistically(async ({ otps }) => {
    const otp = requirePending(await otps.find(id, scope), call)
    const isRight = isCodeOf(otp, code, call, services.keyring)
    return { otp, verified: isRight ? await otps.verify(otp, call.now, eventOf(call, verifiedFact(otp))) : null }
  })
  if (verified !== null) return { otp, verified }
  return refuseWrongCode(otp, call, (wrong) => recordWrongCode(services.budgets, wrong, call))
}

async function verifyAddressCode({ id, scope, code }: Given, call: VerifyCall, services: Services): Promise<Verified> {
  const { now, storage } = call
  const { keyring, budgets, addressCodes } = services
  const found = await storage.otps.find(id, scope)
  if (found !== null && stateOf(found, now) === 'pending') {
    // Checked before the code is compared, and again in the transaction of the change.
    if (!(await addressCodes.mayStillVerify(storage, found, now))) throw call.refuse('OTP_NOT_PENDING')
  }
  const otp = await checkCode(found, code, call, keyring, (wrong) => recordWrongCode(budgets, wrong, call))
  return { otp, verified: await storage.write((tx) => addressCodes.verify(tx, otp, call, services)) }
}
