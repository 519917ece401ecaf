import type { verifyOtp as operation } from '../../contract/otp.ts'
import type { Handler } from '../core/handler.ts'
import type { VerifiedAddress } from './address-codes.ts'
import { checkCode, requireApplied } from './check-code.ts'
import { recordWrongCode } from './code-budgets.ts'
import { changesAccount, stateOf } from './otp.ts'

/**
 * `POST /otp/verify` (OTP-7 to OTP-13). A code that proves an address of an account changes the account in the same
 * transaction.
 */
export const verifyOtp: Handler<typeof operation> = async ({ body: { id, scope, code } }, call, services) => {
  const { now, tenantId, storage } = call
  const { keyring, budgets, smsBrake, delivery, addressCodes } = services
  const found = await storage.otps.find(id, scope)
  if (changesAccount(scope) && found !== null && stateOf(found, now) === 'pending') {
    // Checked before the code is compared, and again in the transaction of the change.
    if (!(await addressCodes.mayStillVerify(storage, found, now))) throw call.refuse('OTP_NOT_PENDING')
  }
  const otp = await checkCode(found, code, call, keyring, (wrong) => recordWrongCode(budgets, wrong, call))
  const verified: VerifiedAddress = changesAccount(scope)
    ? await storage.write((tx) => addressCodes.verify(tx, otp, call, services))
    : await storage.otps.verify(id, scope, now)
  requireApplied(verified, call)
  if (otp.deliveryMethod === 'sms') await smsBrake.countVerified({ tenantId, recipient: otp.recipient }, otp.createdAt)
  if (changesAccount(scope)) delivery.wake()
  const session = verified.present?.()
  return { success: true, ...(session && { session }) }
}
