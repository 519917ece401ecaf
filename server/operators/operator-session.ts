/** A browser that an operator signed in with. */
export interface OperatorSession {
  /** SHA-256 of the cookie, 64 hex characters. */
  readonly id: string
  /** `root` for the root key. */
  readonly operatorId: string
  /** For the root key only: what its sessions must match (`console-session.ts`). */
  readonly rootHash: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  /** When it ends at the latest. */
  readonly endsAt: number
  readonly network: string
  readonly userAgent: string | null
}

/** The console sessions of the deployment. A session that was ended has no row. */
export interface OperatorSessionStore {
  add(session: OperatorSession): Promise<void>
  find(id: string): Promise<OperatorSession | null>
  /** Notes a use, unless one was noted after `since`. */
  touch(id: string, now: number, since: number): Promise<void>
  end(id: string): Promise<void>
  endAllOf(operatorId: string): Promise<void>
}
