import type { Session, SessionStorage } from './session.ts'

/** Where a session is stored. */
export interface SessionPlace {
  /** The storage, or undefined for memory only. Throws where the browser blocks it. */
  readonly find: () => SessionStorage | undefined
  /** The name of the session's item. */
  readonly key: string
}

/** The place of each session, for what is stored beside it. */
export const placeOf: WeakMap<Session, SessionPlace> = new WeakMap()
