import type { signUp as operation } from '../../../contract/accounts/sign-in.ts'
import type { Handler } from '../../core/handler.ts'
import { ulid } from '../../core/ids.ts'
import { requireAllowedPassword } from '../../passwords/require-allowed-password.ts'
import { judgeSignUpProfile } from '../../profiles/judge-sign-up-profile.ts'
import { openSession, presentSession } from '../sessions/start-session.ts'
import { newUser } from '../user.ts'
import { consumeProof, findProof } from './otp-proof.ts'
import { requireAuthMethod } from './require-auth-method.ts'

/**
 * `POST /auth/sign-up` (SIGNIN-3, SIGNIN-4) by password: user, profile and session in one transaction. Under
 * enumeration protection only a caller who proved the address learns whether it is taken.
 */
export const signUp: Handler<typeof operation> = async (
  { body: { email, password, profile, token } },
  call,
  services,
) => {
  const { now, snapshot, storage } = call
  const { configuration } = snapshot
  requireAllowedPassword(password, email, call)
  const storeProfile = judgeSignUpProfile(profile, snapshot, call, services.profileBytes)
  if (configuration.security.enumerationProtection && token === undefined)
    throw call.refuse('VALIDATION_ERROR', { validation: { token: 'Required' } })
  requireAuthMethod('password', call)
  if (token !== undefined && (await findProof(token, call)).recipient !== email) throw call.refuse('OTP_NOT_CONSUMABLE')
  if ((await storage.users.findByEmail(email)) !== null) throw call.refuse('EMAIL_ALREADY_REGISTERED')

  const passwordHash = await services.hasher.hash(password, call)
  const emailVerifiedAt = token === undefined ? null : now
  const user = newUser(ulid(now), now, { email, emailVerifiedAt, hasPassword: true })
  const session = await storage.write(async (tx) => {
    const proof = token === undefined ? undefined : await consumeProof(tx, token, call)
    if ((await tx.users.add(user, passwordHash)) !== null) throw call.refuse('EMAIL_ALREADY_REGISTERED')
    await storeProfile(tx, user.id)
    return openSession(tx, { user, amr: ['pwd'], isNewUser: true, proof }, call, services, 'session.created')
  })
  return presentSession(session, call, services)
}
