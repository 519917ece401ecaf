import type { resetPassword as operation } from '../../contract/accounts/password-reset.ts'
import type { Handler } from '../core/handler.ts'
import { challengePasswordReset } from './challenge-password-reset.ts'
import { confirmPasswordReset } from './confirm-password-reset.ts'

/** `POST /auth/reset-password` (RESET-1, RESET-2), both steps. */
export const resetPassword: Handler<typeof operation> = ({ body }, call, services) =>
  body.step === 'challenge' ? challengePasswordReset(body, call, services) : confirmPasswordReset(body, call, services)
