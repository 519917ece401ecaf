import { type OtpScope, resendOtp as operation } from '../../contract/otp.ts'
import type { Handler } from '../core/handler.ts'
import { ulid } from '../core/ids.ts'
import { refusalsOf } from '../core/service-error.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Tx } from '../storage/storage.ts'
import type { AccountCodes } from './account-codes.ts'
import { changesAccount, nextResendAt, resendRefusal, stateOf } from './otp.ts'
import type { Outcome } from './otp-store.ts'

const refuse = refusalsOf(operation)

/** `POST /otp/resend` (contract 4.1): the same code to the same recipient, by the method it first went. */
export const resendOtp =
  (delivery: Delivery, accountCodes: AccountCodes): Handler<typeof operation> =>
  async ({ body: { id, scope } }, { now, snapshot, storage }) => {
    if (snapshot.configuration.otp === null) throw refuse('TENANT_NOT_CONFIGURED')
    const { applied, otp } = changesAccount(scope)
      ? await storage.write((tx) => resendForAsker(tx, id, scope, now, accountCodes))
      : await storage.otps.resend(id, scope, now, { id: ulid(now) })
    if (applied) {
      delivery.wake()
      return { success: true }
    }
    const refusal = resendRefusal(otp, now)
    if (refusal === null) throw new Error('The storage refused a resend that the rules allow')
    const waitMs = otp && refusal === 'OTP_RESEND_INTERVAL_NOT_EXPIRED' ? nextResendAt(otp) - now : undefined
    throw refuse(refusal, waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  }

/** A code that changes an account counts as cancelled once the session that asked for it has ended. */
async function resendForAsker(
  tx: Tx,
  id: string,
  scope: OtpScope,
  now: number,
  accountCodes: AccountCodes,
): Promise<Outcome> {
  const otp = await tx.otps.find(id, scope)
  if (otp !== null && stateOf(otp, now) === 'pending' && !(await accountCodes.mayStillVerify(tx, otp, now))) {
    return { applied: false, otp: { ...otp, state: 'cancelled' } }
  }
  return tx.otps.resend(id, scope, now, { id: ulid(now) })
}
