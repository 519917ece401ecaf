import type { refreshSession as operation } from '../../../contract/accounts/sign-in.ts'
import type { Call } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { asUser, aUser } from '../../events/subjects.ts'
import { readProfileClaims } from '../../profiles/profile-claims.ts'
import type { Services } from '../../services.ts'
import { maySignIn } from '../restriction.ts'
import { nextFormInSession } from '../sign-in/next-form.ts'
import type { User } from '../user.ts'
import { endOneSession } from './end-sessions.ts'
import { refreshHash } from './refresh-token.ts'
import { isLive, type RefreshableSession, sessionIdleMs } from './session.ts'
import { deviceOf, presentSession } from './start-session.ts'

type RefreshCall = Call<typeof operation>

/** For this long a used refresh token gets the same successor again, because the first response may have been lost. */
const graceMs = 10_000

/**
 * `POST /auth/refresh` (SESSION-2 to SESSION-5, RFC 9700 4.14.2): a guarded update rotates the refresh token.
 * Concurrent refreshes get the same successor. A token that was rotated earlier is used twice, by its owner and a
 * thief, so its session ends.
 */
export const refreshSession: Handler<typeof operation> = async ({ body: { refreshToken } }, call, services) => {
  const { now, tenantId, storage } = call
  const sessionId = services.refreshTokens.sessionOf(refreshToken)
  const found = sessionId === null ? null : await storage.sessions.findWithUser(sessionId)
  const given = { token: refreshToken, hash: refreshHash(refreshToken) }
  if (found === null || !isLive(found.session, now) || !isGenuine(given, found.session, tenantId, services)) {
    throw call.refuse('INVALID_REFRESH_TOKEN')
  }
  const { session } = found
  const user = requireUser(found.user, call)
  // Before the rotation: a refresh that fails must leave the token usable.
  const profileClaims = await readProfileClaims(user.id, call.snapshot, storage)

  const successor =
    (await exchange(session, given, call, services)) ?? (await answerAgain(session, given, call, services))
  if (successor === null) {
    await endReused(session, call, services)
    services.logger.warn({ tenantId, userId: user.id, sessionId }, 'refresh token reuse detected; session revoked')
    throw call.refuse('INVALID_REFRESH_TOKEN')
  }
  const { amr } = session
  const nextForm = await nextFormInSession(user, session, call)
  const refreshed = { session, refreshToken: successor, user, amr, isNewUser: false, profileClaims, nextForm }
  return presentSession(refreshed, call, services)
}

/** The current token, the previous one, or any older one of this session. */
const isGenuine = (
  { token, hash }: GivenToken,
  { id: sessionId, refreshHash: good, previousRefreshHash: before }: RefreshableSession,
  tenantId: string,
  { refreshTokens }: Services,
): boolean => hash === good || hash === before || refreshTokens.wasGivenOut(token, { tenantId, sessionId })

/** A restriction of `sign_in` refuses, but keeps the session for when it is lifted. */
function requireUser(user: User | null, { now, refuse, snapshot }: RefreshCall): User {
  if (user === null) throw refuse('TOKEN_USER_NOT_FOUND')
  if (!maySignIn(user, now) || snapshot.tenant.restrictedCapabilities.includes('sign_in'))
    throw refuse('RESTRICTED_CAPABILITY')
  return user
}

interface GivenToken {
  readonly token: string
  readonly hash: string
}

/** The successor of the current token; null when the token is not the current one. */
async function exchange(
  { id: sessionId, userId, refreshHash: good }: RefreshableSession,
  { token, hash }: GivenToken,
  call: RefreshCall,
  { refreshTokens }: Services,
): Promise<string | null> {
  if (hash !== good) return null
  const { now, storage, tenantId } = call
  const [successor] = refreshTokens.successors(token, { tenantId, sessionId })
  const rotation = {
    from: hash,
    to: refreshHash(successor),
    now,
    idleExpiresAt: now + sessionIdleMs,
    device: deviceOf(call),
  }
  const rotated = await storage.write(async (tx) => {
    // Locks the user before the session, in the same order as a deletion; together, because on PostgreSQL each would be a
    // round trip. For a deleted user, the refusal takes back the device that the retained session has recorded.
    const [isKnown, isRotated] = await Promise.all([
      tx.users.touch(userId, now),
      tx.sessions.rotate(sessionId, rotation),
    ])
    if (!isKnown) throw call.refuse('TOKEN_USER_NOT_FOUND')
    if (isRotated) {
      const by = { subject: aUser(userId), actor: asUser(userId, sessionId) }
      await record(tx, call, { type: 'session.refreshed', ...by, details: { session: sessionId } })
    }
    return isRotated
  })
  return rotated ? successor : null
}

/** Ends a session whose refresh token was used twice. The caller may be the thief, so the actor is the tenant key. */
const endReused = ({ id, userId }: RefreshableSession, call: RefreshCall, { counts }: Services): Promise<void> =>
  call.storage.write(async (tx) => {
    if (!(await endOneSession(tx, userId, id, call, counts, { reason: 'reuse_detected' }))) return
    await record(tx, call, { type: 'session.reuse_detected', subject: aUser(userId), details: { session: id } })
  })

/** The successor that was issued already, within the grace period; null after it. */
async function answerAgain(
  before: RefreshableSession,
  { token, hash }: GivenToken,
  { now, refuse, storage, tenantId }: RefreshCall,
  { refreshTokens }: Services,
): Promise<string | null> {
  // The token may have been rotated since the session was read.
  const session = hash === before.refreshHash ? await storage.sessions.find(before.id) : before
  if (session === null || !isLive(session, now)) throw refuse('INVALID_REFRESH_TOKEN')
  // Absolute, because the clock may have been set back.
  const passedMs = Math.abs(now - (session.rotatedAt ?? 0))
  if (hash !== session.previousRefreshHash || passedMs >= graceMs) return null
  const candidates = refreshTokens.successors(token, { tenantId, sessionId: session.id })
  return candidates.find((candidate) => refreshHash(candidate) === session.refreshHash) ?? null
}
