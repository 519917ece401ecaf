import { timestamp } from '../../contract/envelope.ts'
import type { Session as WireSession } from '../../contract/user.ts'

/** A user's session; it outlives a deleted user so that TOKEN_USER_NOT_FOUND can be told. Times in epoch ms. */
export interface Session {
  readonly id: string
  readonly userId: string
  /** When its user signed in. */
  readonly createdAt: number
  /** The sign-in, or the last refresh. */
  readonly lastUsedAt: number
  /** Unused for this long, it is over: 30 days (design 6). */
  readonly idleExpiresAt: number
  /** Over at the latest: 180 days (design 6). */
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/** What a session was last used with. */
export interface Device {
  readonly userAgent: string | null
  /** The network of the client's address (`networkOf`): enough for its user to recognise it. */
  readonly network: string
}

/** A session as its user may see it. */
export interface ListedSession extends Session, Device {}

/** A session with what a refresh is judged by. */
export interface RefreshableSession extends Session {
  /** How its user signed in (RFC 8176). */
  readonly amr: readonly string[]
  /** SHA-256 of the refresh token that is good now. */
  readonly refreshHash: string
  /** SHA-256 of the one before, and when it was exchanged. */
  readonly previousRefreshHash: string | null
  readonly rotatedAt: number | null
}

/** A refresh: `from` is used up, `to` takes its place; both SHA-256 of refresh tokens. */
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
  /** Exchanges the refresh token of a live session, if `from` is still the one that is good. */
  rotate(id: string, rotation: Rotation): Promise<boolean>
  /** Those that are live, the one last used first. */
  listOf(userId: string, now: number): Promise<ListedSession[]>
  /** Those that are kept, over or not, oldest first. */
  listAllOf(userId: string): Promise<ListedSession[]>
  /** Locks the row of a live session until the transaction ends; false when the user has no such live session. */
  lockLive(userId: string, id: string, now: number): Promise<boolean>
  /** Whether a session of the user that is live, or ended after `since`, was last used from there. */
  isKnownNetwork(userId: string, network: string, since: number): Promise<boolean>
  /** The networks of such sessions, the one last used first; at most ten. */
  knownNetworks(userId: string, since: number): Promise<string[]>
  /** False when the user has no such live session. */
  revoke(userId: string, id: string, now: number): Promise<boolean>
  /** `but`: the one that stays. */
  revokeAllOf(userId: string, now: number, but?: string): Promise<void>
  /** Forgets what the sessions of a deleted user were used with. */
  forgetDevices(userId: string): Promise<void>
}

const DAY = 86_400_000
export const sessionIdleMs = 30 * DAY
export const sessionAbsoluteMs = 180 * DAY

/** Whether it still carries a call. */
export const isLive = (session: Session, now: number): boolean =>
  session.revokedAt === null && now < session.expiresAt && now < session.idleExpiresAt

/** When it ended, in epoch milliseconds; null while it is live. */
export const endedAt = (session: Session, now: number): number | null =>
  session.revokedAt ?? (isLive(session, now) ? null : endOf(session))

/** When it ends unless it is refreshed before. */
const endOf = (session: Session): number => Math.min(session.idleExpiresAt, session.expiresAt)

/** As its user sees it, save whether it is the one that asks. */
export const presentSessionDevice = (session: ListedSession): Omit<WireSession, 'current'> => ({
  id: session.id,
  userAgent: session.userAgent,
  network: session.network,
  createdAt: timestamp(session.createdAt),
  lastUsedAt: timestamp(session.lastUsedAt),
  expiresAt: timestamp(endOf(session)),
})
