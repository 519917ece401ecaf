import type { TenantryClient } from '../client.ts'
import type { User } from '../generated/types.ts'

/** Where the tokens are stored: `localStorage`, `sessionStorage`, or an asynchronous store such as React Native's. */
export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/** Whether a user is signed in. The reason `expired` means that the service ended the session. */
export type SessionState =
  | { readonly status: 'loading' }
  | { readonly status: 'signedOut'; readonly reason: 'none' | 'signedOut' | 'expired' }
  | { readonly status: 'signedIn'; readonly user: User }

/** The session of one user, shared by all tabs of a browser. */
export interface Session {
  /** Calls operations as the signed-in user. An answer that contains a session starts it: `session.client.signIn(…)`. */
  readonly client: TenantryClient
  /** The same object until it changes. */
  readonly state: SessionState
  /** Resolves when the storage was read. */
  ready(): Promise<SessionState>
  /** Calls the listener after each change of `state`. Returns a function that removes it. */
  onChange(listener: (state: SessionState) => void): () => void
  /** A valid access token for the app's own back end; null when signed out. */
  accessToken(): Promise<string | null>
  /** Signs out here, then at the service. */
  signOut(scope?: 'this' | 'others' | 'all'): Promise<void>
  /** Removes listeners and channels. */
  close(): void
}
