import * as account from '../../contract/accounts/account.ts'
import * as addresses from '../../contract/accounts/account-addresses.ts'
import * as otp from '../../contract/accounts/otp.ts'
import { resetPassword } from '../../contract/accounts/password-reset.ts'
import { signIn, signUp, stepUp } from '../../contract/accounts/sign-in.ts'
import type { Operation } from '../../contract/operation.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Outcome } from '../http/answer-meter.ts'
import type { Route } from '../http/mount.ts'
import type { Services } from '../services.ts'
import type { CountOtp, OtpStep } from './otp-counts.ts'

/** The parts of a valid body that determine the step. */
interface Body {
  readonly scope: otp.OtpScope
  readonly step: 'challenge' | 'confirm'
  readonly method?: string
  readonly token?: string
}

/** The step of a request, by operation; null when the request uses no one-time password. */
const steps = new Map<Operation, (body: Body) => OtpStep | null>([
  [otp.issueOtp, ({ scope }) => ({ step: 'issue', scope })],
  [otp.resendOtp, ({ scope }) => ({ step: 'resend', scope })],
  [otp.verifyOtp, ({ scope }) => ({ step: 'verify', scope })],
  [otp.getOtpStatus, ({ scope }) => ({ step: 'status', scope })],
  [resetPassword, ({ step }) => ({ step, scope: 'reset_password' })],
  [addresses.changeEmail, () => ({ step: 'change', scope: 'email_verification' })],
  [addresses.changePhone, () => ({ step: 'change', scope: 'phone_verification' })],
  [signIn, ({ method }) => (method === 'otp' ? { step: 'sign_in', scope: 'otp_signin' } : null)],
  [signUp, ({ token }) => (token === undefined ? null : { step: 'sign_up', scope: 'otp_signin' })],
  [stepUp, ({ method }) => (method === 'otp' ? { step: 'step_up', scope: 'otp_signin' } : null)],
  [addresses.recoverAccount, () => ({ step: 'recover', scope: 'address_recovery' })],
  [account.addIdentity, ({ method }) => (method === 'otp' ? { step: 'link', scope: 'otp_signin' } : null)],
])

/** The route, which counts what becomes of one-time passwords: of requests that pass the request checks, when its handler ends. */
export function countedOtps(route: Route, countOtp: CountOtp): Route {
  const stepOf = steps.get(route.operation)
  if (stepOf === undefined) return route
  const handle = route.handler as (input: { readonly body: Body }, call: unknown, services: Services) => unknown
  const handler = async (input: { readonly body: Body }, call: unknown, services: Services) => {
    const step = stepOf(input.body)
    const count = (outcome: Outcome) => {
      if (step !== null) countOtp(step, outcome)
    }
    try {
      const answer = await handle(input, call, services)
      count('OK')
      return answer
    } catch (error) {
      count(error instanceof ServiceError ? error.code : 'INTERNAL_SERVER')
      throw error
    }
  }
  return { ...route, handler }
}
