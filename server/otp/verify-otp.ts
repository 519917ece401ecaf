import { verifyOtp as operation } from '../../contract/otp.ts'
import type { Handler } from '../handler.ts'
import { refusalsOf } from '../service-error.ts'
import type { AccountCodes } from './account-codes.ts'
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
    if (!changesAccount(scope)) {
      requireApplied(await storage.otps.verify(id, scope, now), now)
      return { success: true }
    }
    const verified = await storage.write((tx) => accountCodes.verify(tx, otp, call))
    requireApplied(verified, now)
    services.delivery.wake()
    const session = await verified.present?.()
    return { success: true, ...(session && { session }) }
  }
