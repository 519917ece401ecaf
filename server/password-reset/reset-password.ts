import type { resetPassword as operation } from '../../contract/password-reset.ts'
import type { Handler } from '../core/handler.ts'
import { type ChallengeServices, challengePasswordReset } from './challenge-password-reset.ts'
import { type ConfirmServices, confirmPasswordReset } from './confirm-password-reset.ts'

/** `POST /auth/reset-password`, both steps (contract 4.2). */
export const resetPassword =
  (services: ChallengeServices & ConfirmServices): Handler<typeof operation> =>
  ({ body }, call) =>
    body.step === 'challenge'
      ? challengePasswordReset(body, call, services)
      : confirmPasswordReset(body, call, services)
