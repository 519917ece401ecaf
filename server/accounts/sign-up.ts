import { signUp as operation } from '../../contract/accounts.ts'
import type { Handler, TenantCall } from '../handler.ts'
import { ulid } from '../ids.ts'
import { consumeRefusal } from '../otp/otp.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import { judgeSignUpProfile } from '../profiles/judge-sign-up-profile.ts'
import { invalid, refusalsOf } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'
import type { AccessTokens } from './access-token.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { newSession, presentSession, storeSession } from './start-session.ts'
import type { User } from './user.ts'

const refuse = refusalsOf(operation)

/** What signing up needs. */
export interface SignUpServices {
  readonly hasher: PasswordHasher
  readonly accessTokens: AccessTokens
}

/**
 * `POST /auth/sign-up` by password (design 6): user, profile and session in one transaction. Under enumeration
 * protection only somebody who proved the address is told whether it is taken (design 5).
 */
export const signUp =
  ({ hasher, accessTokens }: SignUpServices): Handler<typeof operation> =>
  async ({ body: { email, password, profile, token } }, call) => {
    const { now, tenant, storage } = call
    const { configuration } = tenant
    requireAllowedPassword(password, configuration)
    const storeProfile = judgeSignUpProfile(profile, tenant, now)
    if (configuration.security.enumerationProtection && token === undefined) throw invalid({ token: 'Required' })
    requireAuthMethod('password', configuration)
    if (token !== undefined) await requireProof(token, email, call)
    if ((await storage.users.findByEmail(email)) !== null) throw refuse('EMAIL_ALREADY_REGISTERED')

    const passwordHash = await hasher.hash(password)
    const user = newUser(email, token === undefined ? null : now, now)
    const session = newSession(user.id, now)
    await storage.write(async (tx) => {
      if (token !== undefined) await consumeProof(tx, token, now)
      if ((await tx.users.add(user, passwordHash)) !== null) throw refuse('EMAIL_ALREADY_REGISTERED')
      await storeProfile(tx, user.id)
      await storeSession(tx.sessions, session, call)
    })
    return presentSession(session, user, { amr: ['pwd'], isNewUser: true }, call, accessTokens)
  }

/** A verified `otp_signin` one-time password that went to this very address. */
async function requireProof(token: string, email: string, { now, storage }: TenantCall): Promise<void> {
  const otp = await storage.otps.find(token, 'otp_signin')
  const refusal = consumeRefusal(otp, now)
  if (refusal !== null) throw refuse(refusal)
  if (otp?.recipient !== email) throw refuse('OTP_NOT_CONSUMABLE')
}

async function consumeProof(tx: Tx, token: string, now: number): Promise<void> {
  const { applied, otp } = await tx.otps.consume(token, 'otp_signin', now)
  if (!applied) throw refuse(consumeRefusal(otp, now) ?? 'OTP_NOT_CONSUMABLE')
}

const newUser = (email: string, emailVerifiedAt: number | null, now: number): User => ({
  id: ulid(now),
  email,
  emailVerifiedAt,
  phone: null,
  phoneVerifiedAt: null,
  hasPassword: true,
  guest: false,
  restrictedCapabilities: [],
  createdAt: now,
  updatedAt: now,
})
