import type { z } from 'zod'
import type { stepUp as operation } from '../../../contract/accounts/sign-in.ts'
import { timestamp } from '../../../contract/envelope.ts'
import type { Call } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import type { SocialIdentity } from '../../identity-providers/identity-providers.ts'
import type { Otp } from '../../otp/otp.ts'
import { readProfileClaims } from '../../profiles/profile-claims.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../storage/storage.ts'
import { isProven } from '../addresses/address.ts'
import { lockCaller } from '../addresses/address-owner.ts'
import { accessTokenSeconds } from '../sessions/access-token-times.ts'
import type { User } from '../user.ts'
import { addressOf, amrOf, attributeProof, consumeProof, findProof, isOutdated } from './otp-proof.ts'
import { useIdToken, verifyProviderProof } from './provider-proof.ts'
import { recordingRefusedStepUp, stepUpOf } from './refused-sign-in.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { verifyOwnPassword, withStoredHash } from './verified-password.ts'

type StepUpCall = Call<typeof operation>
type Body = z.output<typeof operation.body>
/**
 * Accepts the proof for the user whose row is locked; returns the methods of the proof (RFC 8176), or null when the password
 * that was compared is not stored any more.
 */
type Accept = (tx: Tx, user: User) => Promise<readonly string[] | null>
/** Consumes a verified proof, before the user is locked: a sign-in with the same proof takes the same order. */
type Consume = (tx: Tx) => Promise<Accept>

/**
 * `POST /auth/step-up` (SIGNIN-12): authenticates the user again within a session (OWASP ASVS 7.5.1). The response
 * contains an access token of the same session with a newer `auth_time`; the session and its other tokens stay as they
 * are.
 */
export const stepUp: Handler<typeof operation> = async ({ body }, call, services) => {
  const { now, tenantId, snapshot, session, authentication } = call
  requireAuthMethod(body.method, call)
  const { user, proof, profileClaims } = await recordingRefusedStepUp(
    body.method,
    'stepUp',
    call,
    services.refusedAttempts,
    () => authenticate(body, call, services),
  )
  const subject = {
    tenantId,
    userId: user.id,
    sessionId: session.id,
    amr: [...new Set([...authentication.amr, ...proof])],
    authenticatedAt: now,
    guest: user.guest,
    profileClaims,
  }
  const lifeSeconds = Math.min(accessTokenSeconds, snapshot.configuration.security.freshSeconds)
  return {
    accessToken: services.accessTokens.sign(subject, now),
    tokenType: 'Bearer' as const,
    expiresIn: accessTokenSeconds,
    // Tokens contain whole seconds.
    freshUntil: timestamp((Math.floor(now / 1000) + lifeSeconds) * 1000),
  }
}

/** Verifies and accepts the proof for the user of the session. */
async function authenticate(body: Body, call: StepUpCall, services: Services) {
  const accepted =
    body.method === 'password'
      ? await stepUpByPassword(body.password, call, services)
      : await accept(body.method, await prove(body, call, services), call)
  if (accepted === null) throw call.refuse('INVALID_CREDENTIALS')
  return accepted
}

async function stepUpByPassword(password: string, call: StepUpCall, services: Services) {
  const verified = await verifyOwnPassword(password, call, services)
  return withStoredHash(verified, call, services.hasher, (hash) =>
    accept('password', async () => requirePassword(hash), call),
  )
}

/** Consumes and accepts a proof in one transaction; null when the user's row does not accept it any more. */
const accept = (method: Body['method'], consume: Consume, call: StepUpCall) =>
  call.storage.write(async (tx) => {
    const acceptFor = await consume(tx)
    const user = await lockCaller(tx, call)
    const proof = await acceptFor(tx, user)
    if (proof === null) return null
    await record(tx, call, { type: 'step_up.succeeded', ...stepUpOf(call, method) })
    return { user, proof, profileClaims: await readProfileClaims(user.id, call.snapshot, tx) }
  })

async function prove(
  body: Exclude<Body, { method: 'password' }>,
  call: StepUpCall,
  services: Services,
): Promise<Consume> {
  switch (body.method) {
    case 'otp':
      await findProof(body.token, call)
      return async (tx) => requireProven(await consumeProof(tx, body.token, call), call)
    default: {
      const social = await verifyProviderProof(body, call, services.identityProviders)
      return async (tx) => {
        await useIdToken(tx, social, call)
        return requireLinked(social, call)
      }
    }
  }
}

/** The account's password, if this hash of it is still stored. */
const requirePassword =
  (hash: string): Accept =>
  async (tx, { id }) =>
    (await tx.users.confirmPassword(id, hash)) === null ? null : ['pwd']

/** A code to an address that the account had verified before; any other address would prove another person. */
function requireProven(otp: Otp, call: StepUpCall): Accept {
  return async (tx, user) => {
    if (!isProven(user, addressOf(otp))) throw call.refuse('INVALID_CREDENTIALS')
    if (await isOutdated(tx, otp, user, call.now)) throw call.refuse('OTP_NOT_CONSUMABLE')
    await attributeProof(tx, otp, call.session, call)
    return amrOf(otp)
  }
}

/** The account at a provider that is linked to this user. */
function requireLinked({ provider, subject }: SocialIdentity, call: StepUpCall): Accept {
  return async (tx, user) => {
    const identity = await tx.identities.find(provider, subject)
    if (identity?.userId !== user.id) throw call.refuse('INVALID_SOCIAL_TOKEN')
    return [provider]
  }
}
