import type { SessionAnswer } from '../../../contract/accounts/sign-in.ts'
import type { TenantCall } from '../../core/call.ts'
import { ulid } from '../../core/ids.ts'
import { record } from '../../events/record.ts'
import { asUser, aUser } from '../../events/subjects.ts'
import { networkOf } from '../../limits/address.ts'
import type { Otp } from '../../otp/otp.ts'
import { type ProfileClaims, readProfileClaims } from '../../profiles/profile-claims.ts'
import type { Services } from '../../services.ts'
import type { Counts } from '../../statistics/counts.ts'
import type { Tx } from '../../storage/storage.ts'
import { endAttempts, endYoungerUndoCodes, laterWaysOf } from '../end-attempts.ts'
import { maySignIn } from '../restriction.ts'
import { nextFormAtSignIn } from '../sign-in/next-form.ts'
import { attributeProof } from '../sign-in/otp-proof.ts'
import { ofUser } from '../sign-in/refused-sign-in.ts'
import { presentUser, type User } from '../user.ts'
import { accessTokenSeconds } from './access-token-times.ts'
import { endSessionsOf } from './end-sessions.ts'
import { refreshHash } from './refresh-token.ts'
import { type Device, type Session, sessionAbsoluteMs, sessionIdleMs } from './session.ts'

/** A new session with what its client receives. */
export interface OpenSession {
  readonly session: Session
  readonly refreshToken: string
  /** How the user signed in (RFC 8176). */
  readonly amr: readonly string[]
  readonly user: User
  readonly isNewUser: boolean
  /** This sign-in is the first proof of an address that the account had only claimed. */
  readonly firstProof?: true
  readonly profileClaims?: ProfileClaims | undefined
  /** The form to complete; null when there is none, undefined when no form of the schema has `prompt`. */
  readonly nextForm?: string | null | undefined
}

/** The sign-in method that authentication methods (RFC 8176) stand for. */
const methodOf = ([first]: readonly string[]): string => (first === 'pwd' ? 'password' : (first ?? 'guest'))

/** The user of a sign-in, and how they signed in. */
export interface SignedInUser extends Pick<OpenSession, 'user' | 'amr' | 'isNewUser' | 'firstProof'> {
  /** The one-time password that was consumed for it. */
  readonly proof?: Otp | undefined
  /** Whether it ends the other sessions of the user, whose row is locked. */
  readonly endOtherSessions?: boolean | undefined
}

/**
 * Opens a session in the transaction that authenticated its user, and records it. Refuses a user who may not sign in.
 * @param recordedAs how the session began: by a sign-in, or otherwise
 */
export async function openSession(
  tx: Tx,
  signedIn: SignedInUser,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  { refreshTokens, counts, clock }: Services,
  recordedAs: 'sign_in.succeeded' | 'session.created' = 'sign_in.succeeded',
): Promise<OpenSession> {
  const { now, tenantId } = call
  const { user, amr, isNewUser, proof } = signedIn
  if (!maySignIn(user, now)) throw ofUser(user.id, call.refuse('RESTRICTED_CAPABILITY'))
  const session: Session = {
    id: ulid(now),
    userId: user.id,
    createdAt: now,
    lastUsedAt: now,
    idleExpiresAt: now + sessionIdleMs,
    expiresAt: now + sessionAbsoluteMs,
    revokedAt: null,
  }
  const refreshToken = refreshTokens.first({ tenantId, sessionId: session.id })
  // In this order, and together: on PostgreSQL each would be a round trip.
  await Promise.all([
    proof && attributeProof(tx, proof, session, call),
    tx.sessions.add(session, { refreshHash: refreshHash(refreshToken), amr }, deviceOf(call)),
    !isNewUser && tx.users.touch(user.id, now),
  ])
  const profileClaims = await readProfileClaims(user.id, call.snapshot, tx)
  const nextForm = await nextFormAtSignIn(tx, user, call)
  await recordSession(tx, call, { ...signedIn, session }, recordedAs)
  if (signedIn.endOtherSessions) await endOthers(tx, { user, session, amr }, call, { counts, clock })
  tx.onCommit(() => countSession(counts, tenantId, signedIn, recordedAs))
  return { ...signedIn, session, refreshToken, profileClaims, nextForm }
}

/** Records the session, and its user when they are new. */
async function recordSession(
  tx: Tx,
  call: TenantCall,
  { user, session, amr, isNewUser }: Pick<OpenSession, 'user' | 'session' | 'amr' | 'isNewUser'>,
  type: 'sign_in.succeeded' | 'session.created',
): Promise<void> {
  const by = { subject: aUser(user.id), actor: asUser(user.id, session.id) }
  const method = methodOf(amr)
  if (isNewUser) await record(tx, call, { type: 'user.created', ...by, details: { method } })
  await record(tx, call, { type, ...by, details: { session: session.id, method } })
}

/**
 * Ends what a sign-out of the others in the new session would end (SESSION-6). A thief with an older session could end the
 * new one before that sign-out, again and again.
 */
async function endOthers(
  tx: Tx,
  { user, session, amr }: Pick<OpenSession, 'user' | 'session' | 'amr'>,
  call: TenantCall,
  { counts, clock }: Pick<Services, 'counts' | 'clock'>,
): Promise<void> {
  const actor = asUser(user.id, session.id)
  await endSessionsOf(tx, user.id, call, counts, { reason: 'signed_out', actor, but: session.id })
  const isByLaterWay = await laterWaysOf(tx, user, call.snapshot)
  const end = isByLaterWay(amr) ? endYoungerUndoCodes : endAttempts
  await end(tx, user, call.snapshot, clock)
}

/** A guest who became a full user. */
export function countFullUser(tx: Tx, tenantId: string, counts: Pick<Counts, 'add'>): void {
  tx.onCommit(() => {
    counts.add(tenantId, 'guests', -1)
    counts.add(tenantId, 'signUps')
  })
}

/** A first sign-in counts as a sign-up. A guest becomes a sign-up with the first sign-in method. */
function countSession(
  counts: Counts,
  tenantId: string,
  { user, isNewUser }: SignedInUser,
  type: 'sign_in.succeeded' | 'session.created',
): void {
  counts.add(tenantId, 'openSessions')
  if (isNewUser) {
    counts.add(tenantId, 'users')
    counts.add(tenantId, user.guest ? 'guests' : 'signUps')
  } else if (type === 'sign_in.succeeded') counts.add(tenantId, 'signIns')
}

const maxUserAgentLength = 512

/** The device that sent the request. */
export const deviceOf = (call: TenantCall): Device => ({
  userAgent: call.userAgent?.slice(0, maxUserAgentLength) ?? null,
  network: networkOf(call.address),
})

/** The response of every sign-in and refresh. */
export function presentSession(
  { session, refreshToken, user, amr, isNewUser, firstProof, profileClaims, nextForm }: OpenSession,
  { now, tenantId }: TenantCall,
  { accessTokens }: Services,
): SessionAnswer {
  const subject = {
    tenantId,
    userId: user.id,
    sessionId: session.id,
    amr,
    // A refresh is not an authentication: the time stays that of the sign-in.
    authenticatedAt: session.createdAt,
    guest: user.guest,
    profileClaims,
  }
  return {
    accessToken: accessTokens.sign(subject, now),
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    refreshToken,
    user: presentUser(user),
    isNewUser,
    ...(firstProof && { firstProof }),
    ...(nextForm !== undefined && { nextForm }),
  }
}
