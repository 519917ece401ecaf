import type { OpenSession as WireSession } from '../../../contract/accounts/user.ts'
import { timestamp } from '../../../contract/envelope.ts'
import type { User } from '../user.ts'

/**
 * A session of a user; times in epoch milliseconds. It outlives a deleted user, so that its tokens answer
 * TOKEN_USER_NOT_FOUND.
 */
export interface Session {
  readonly id: string
  readonly userId: string
  /** When the user signed in. */
  readonly createdAt: number
  /** The sign-in, or the latest refresh. */
  readonly lastUsedAt: number
  /** Expires when unused until then: 30 days. */
  readonly idleExpiresAt: number
  /** Expires then in any case: 180 days. */
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/** The device of the latest sign-in or refresh. */
export interface Device {
  readonly userAgent: string | null
  /** The network of the client's address (`networkOf`): enough for the user to recognise it. */
  readonly network: string
}

/** A session as its user sees it. */
export interface ListedSession extends Session, Device {}

interface Method {
  /** How the user signed in (RFC 8176). */
  readonly amr: readonly string[]
}

/** A session in the export of its user. */
export interface ExportedSession extends ListedSession, Method {}

/** A session with what a refresh checks. */
export interface RefreshableSession extends Session, Method {
  /** SHA-256 of the current refresh token. */
  readonly refreshHash: string
  /** SHA-256 of the previous one, and when it was rotated. */
  readonly previousRefreshHash: string | null
  readonly rotatedAt: number | null
}

/** A session that is refreshed and its user, who may have been deleted. */
export interface RefreshableOfUser {
  readonly session: RefreshableSession
  readonly user: User | null
}

/** The rotation of a refresh token: `to` replaces `from`; both are SHA-256. */
export interface Rotation {
  readonly from: string
  readonly to: string
  readonly now: number
  readonly idleExpiresAt: number
  readonly device: Device
}

/** One tenant's sessions. */
export interface SessionStore {
  /** `refreshHash` is SHA-256 of the refresh token. */
  add(session: Session, secrets: { refreshHash: string; amr: readonly string[] }, device: Device): Promise<void>
  find(id: string): Promise<RefreshableSession | null>
  /** The session and its user in one read. */
  findWithUser(id: string): Promise<RefreshableOfUser | null>
  /** Rotates the refresh token of a live session, if `from` is still the current one. */
  rotate(id: string, rotation: Rotation): Promise<boolean>
  /** The 1,000 live sessions that were used last, latest first. */
  listOf(userId: string, now: number): Promise<ListedSession[]>
  /** The number of live sessions. */
  countOf(userId: string, now: number): Promise<number>
  /** All retained sessions, ended ones included, oldest first. */
  listAllOf(userId: string): Promise<ExportedSession[]>
  /** Locks the row of a live session until the transaction ends; false when the user has no such live session. */
  lockLive(userId: string, id: string, now: number): Promise<boolean>
  /** Whether a session of the user that is live, or ended after `since`, was last used from the network. */
  isKnownNetwork(userId: string, network: string, since: number): Promise<boolean>
  /** The networks of those sessions, latest used first; at most ten. */
  knownNetworks(userId: string, since: number): Promise<string[]>
  /** False when the user has no such live session. */
  revoke(userId: string, id: string, now: number): Promise<boolean>
  /**
   * @param but the session that stays
   * @returns the ids of the live sessions that it ended
   */
  revokeAllOf(userId: string, now: number, but?: string): Promise<string[]>
  /** Removes the devices from all sessions of a user. */
  forgetDevices(userId: string): Promise<void>
}

const DAY = 86_400_000
export const sessionIdleMs = 30 * DAY
export const sessionAbsoluteMs = 180 * DAY

export const isLive = (session: Session, now: number): boolean =>
  session.revokedAt === null && now < session.expiresAt && now < session.idleExpiresAt

/** When it ended, in epoch milliseconds; null while it is live. */
export const endedAt = (session: Session, now: number): number | null =>
  session.revokedAt ?? (isLive(session, now) ? null : endOf(session))

/** When it expires unless it is refreshed before. */
const endOf = (session: Session): number => Math.min(session.idleExpiresAt, session.expiresAt)

/** As its user sees it, except whether it is the current one. */
export const presentSessionDevice = (session: ListedSession): Omit<WireSession, 'current'> => ({
  id: session.id,
  userAgent: session.userAgent,
  network: session.network,
  createdAt: timestamp(session.createdAt),
  lastUsedAt: timestamp(session.lastUsedAt),
  expiresAt: timestamp(endOf(session)),
})
