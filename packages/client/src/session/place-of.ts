import type { Session, SessionStorage } from './session.ts'

/** Where a session stores what belongs to its tenant. */
export interface SessionPlace {
  /** The storage, or undefined for memory only. Throws where the browser blocks it. */
  readonly find: () => SessionStorage | undefined
  /** Begins the names of the tenant's items. Another name of the session's own item does not change it. */
  readonly key: string
}

/** The place of each session. */
export const placeOf: WeakMap<Session, SessionPlace> = new WeakMap()
