/** A user's session; it outlives a deleted user so that TOKEN_USER_NOT_FOUND can be told. Times in epoch ms. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  /** Unused for this long, it is over: 30 days (design 6). */
  readonly idleExpiresAt: number
  /** Over at the latest: 180 days (design 6). */
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/** One tenant's sessions. */
export interface SessionStore {
  /** `refreshHash` is SHA-256 of the refresh token. */
  add(session: Session, refreshHash: string, device: { userAgent: string | null; address: string }): Promise<void>
  revokeAllOf(userId: string, now: number): Promise<void>
}

const DAY = 86_400_000
export const sessionIdleMs = 30 * DAY
export const sessionAbsoluteMs = 180 * DAY

/** Whether it still carries a call. */
export const isLive = (session: Session, now: number): boolean =>
  session.revokedAt === null && now < session.expiresAt && now < session.idleExpiresAt
