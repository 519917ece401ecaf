import { createHmac } from 'node:crypto'

/** A browser that an operator signed in with. */
export interface OperatorSession {
  /** SHA-256 of the token in its cookie, 64 hex characters. */
  readonly id: string
  /** `root` for the root key. */
  readonly operatorId: string
  /** For the root key only: `rootHashOf` that key. */
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

/** How long a session lasts without a request, and at most. */
const idleMs = 30 * 60_000
export const longestMs = 12 * 60 * 60_000
/** Uses are noted at most this often. */
export const noteMs = 60_000

/** Also ends one that was used in the future: it began when the clock was wrong, and would last until that time. */
export const isOpen = ({ lastUsedAt, endsAt }: OperatorSession, now: number): boolean =>
  now < endsAt && Math.abs(now - lastUsedAt) < idleMs

/**
 * What a session of the root key must match: a new root key ends all of them. The hash is keyed with the token, which is
 * not stored, so that a copy of the database confirms no guess of the root key.
 */
export const rootHashOf = (rootKey: string, token: string): string =>
  createHmac('sha256', token).update(rootKey).digest('hex')
