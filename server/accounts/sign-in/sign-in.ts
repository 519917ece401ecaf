import type { z } from 'zod'
import type { signIn as operation } from '../../../contract/accounts/sign-in.ts'
import type { Call } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import type { Services } from '../../services.ts'
import { type OpenSession, presentSession } from '../sessions/start-session.ts'
import { recordingRefusedSignIn } from './refused-sign-in.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { signInAsGuest } from './sign-in-as-guest.ts'
import { signInByPassword } from './sign-in-by-password.ts'
import { signInByProvider } from './sign-in-by-provider.ts'
import { signInWithCode } from './sign-in-with-code.ts'

/** `POST /auth/sign-in` (SIGNIN-1, SIGNIN-2), by any method that a tenant can enable. */
export const signIn: Handler<typeof operation> = async ({ body }, call, services) => {
  requireAuthMethod(body.method, call)
  const opened = await recordingRefusedSignIn(body, call, services.refusedAttempts, () =>
    openSessionBy(body, call, services),
  )
  return presentSession(opened, call, services)
}

function openSessionBy(
  body: z.output<typeof operation.body>,
  call: Call<typeof operation>,
  services: Services,
): Promise<OpenSession> {
  switch (body.method) {
    case 'password':
      return signInByPassword(body, call, services)
    case 'otp':
      return signInWithCode(body, call, services)
    case 'guest':
      return signInAsGuest(call, services)
    default:
      return signInByProvider(body, call, services)
  }
}
