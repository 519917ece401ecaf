import { verifyOtp as operation } from '../../contract/otp.ts'
import type { Handler } from '../core/handler.ts'
import { refusalsOf } from '../core/service-error.ts'
import type { AccountCodes, VerifiedAccount } from './account-codes.ts'
import { checkCode, requireApplied } from './check-code.ts'
import { noteWrongCode } from './code-budgets.ts'
import { changesAccount, stateOf } from './otp.ts'
import type { CodeServices } from './send-code.ts'

const refuse = refusalsOf(operation)

/** `POST /otp/verify`: proves the code; where it changes an account, the change is made in the same transaction. */
export const verifyOtp =
  (services: CodeServices, accountCodes: AccountCodes): Handler<typeof operation> =>
  async ({ body: { id, scope, code } }, call) => {
    const { now, storage } = call
    const found = await storage.otps.find(id, scope)
    if (changesAccount(scope) && found !== null && stateOf(found, now) === 'pending') {
      // Before anything of the code is compared; judged again in the transaction of the change.
      if (!(await accountCodes.mayStillVerify(storage, found, now))) throw refuse('OTP_NOT_PENDING')
    }
    const otp = await checkCode(found, code, call, services.keyring, (wrong) =>
      noteWrongCode(services.budgets, wrong, call),
    )
    const verified: VerifiedAccount = changesAccount(scope)
      ? await storage.write((tx) => accountCodes.verify(tx, otp, call))
      : await storage.otps.verify(id, scope, now)
    requireApplied(verified, now)
    if (otp.deliveryMethod === 'sms') {
      await services.smsBrake.noteVerified({ tenantId: call.tenantId, recipient: otp.recipient }, otp.createdAt)
    }
    if (changesAccount(scope)) services.delivery.wake()
    const session = await verified.present?.()
    return { success: true, ...(session && { session }) }
  }
