import { resendOtp as operation } from '../../contract/otp.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Handler } from '../handler.ts'
import { ulid } from '../ids.ts'
import { refusalsOf } from '../service-error.ts'
import { nextResendAt, resendRefusal } from './otp.ts'

const refuse = refusalsOf(operation)

/** `POST /otp/resend` (contract 4.1): the same code to the same recipient, by the method it first went. */
export const resendOtp =
  (delivery: Delivery): Handler<typeof operation> =>
  async ({ body: { id, scope } }, { now, tenant, storage }) => {
    if (tenant.configuration.otp === null) throw refuse('TENANT_NOT_CONFIGURED')
    const { applied, otp } = await storage.otps.resend(id, scope, now, { id: ulid(now) })
    if (applied) {
      delivery.wake()
      return { success: true }
    }
    const refusal = resendRefusal(otp, now)
    if (refusal === null) throw new Error('The storage refused a resend that the rules allow')
    const waitMs = otp && refusal === 'OTP_RESEND_INTERVAL_NOT_EXPIRED' ? nextResendAt(otp) - now : undefined
    throw refuse(refusal, waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  }
