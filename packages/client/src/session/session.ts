import type { TenantryClient } from '../client.ts'
import type { TenantryError, TenantryStorageError } from '../errors.ts'
import type { StepUpBody, User } from '../generated/types.ts'
import type { Methods } from '../methods.ts'

/** Where the tokens are stored: `localStorage`, `sessionStorage`, or an asynchronous store such as React Native's. */
export interface SessionStorage {
  /** Null or undefined if nothing is stored under the key. */
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/** What the app must ask the user for: a new proof of identity. */
export interface StepUpRequest {
  /** The signed-in user; `methods` lists the proofs that the account has. */
  readonly user: User
  /** The operation that needs the proof; of concurrent calls, the first. */
  readonly operation: keyof Methods
  /**
   * Why the previous proof was refused, such as `INVALID_CREDENTIALS`. The first time it is undefined, or
   * `ADDRESS_PROOF_REQUIRED`: the operation takes a code to the account's address only.
   */
  readonly error: TenantryError | undefined
}

/** The password, the id of a verified one-time password, or a provider's ID token. */
export type StepUpProof = StepUpBody

/** The options of a session. */
export interface SessionOptions {
  /** Default: `localStorage` in a browser, memory elsewhere. */
  readonly storage?: SessionStorage | undefined
  /**
   * Name of the item in the storage. Default: `tenantry.` and the first 33 characters of the tenant key. Pass that name when
   * the tenant key is replaced, otherwise all users are signed out.
   */
  readonly key?: string | undefined
  /**
   * Asks the user for a proof of identity when an operation needs one. Asked again with `error` if the service
   * refuses the proof; null means that the user gave up.
   */
  readonly onStepUp?: ((request: StepUpRequest) => Promise<StepUpProof | null>) | undefined
  /** Called once when the storage fails; the session then continues in memory. Default: `console.warn`. */
  readonly onStorageError?: ((error: TenantryStorageError) => void) | undefined
}

/** Whether a user is signed in. The reason `expired` means that the service ended the session. */
export type SessionState =
  | { readonly status: 'loading' }
  | { readonly status: 'signedOut'; readonly reason: 'none' | 'signedOut' | 'expired' }
  | {
      readonly status: 'signedIn'
      readonly user: User
      /** The form of the profile schema that the user should complete, if there is one. */
      readonly nextForm?: string
    }

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
  /**
   * Signs out here first (except for `others`), then at the service. Rejects if the service cannot be reached; this tab and
   * the others are signed out anyway.
   */
  signOut(scope?: 'this' | 'others' | 'all'): Promise<void>
  /** Removes listeners and channels. */
  close(): void
}
