import type { User } from '../generated/types.ts'
import type { SessionState } from '../session/session.ts'

/** The signed-in user; null while loading and when signed out. */
export const userOf = (state: SessionState): User | null => (state.status === 'signedIn' ? state.user : null)

/** The form that the user should complete; null if there is none. */
export const nextFormOf = (state: SessionState): string | null =>
  state.status === 'signedIn' ? (state.nextForm ?? null) : null
