import { accessTokenSeconds, clockSkewSeconds } from './access-token.ts'

/**
 * A key that signs access tokens, its private half sealed under the keyring. Where it stands is no state of its own but
 * follows from the time: it is *next* until `signsFrom`, then *current*, and *previous* once a newer one signs. Times in
 * epoch milliseconds.
 */
export interface SigningKey {
  readonly kid: string
  /** Rises from key to key: of processes that add one at once, one wins. */
  readonly ordinal: number
  /** JWK of the public half, as JSON. */
  readonly publicJwk: string
  readonly sealedPrivateJwk: string
  readonly createdAt: number
  /** Until then it is published only, so that everybody who verifies knows it before it signs. */
  readonly signsFrom: number
}

/** The deployment's signing keys. */
export interface SigningKeyStore {
  /** Those that were not withdrawn, oldest first. */
  list(): Promise<SigningKey[]>
  /** Adds it behind the newest; false when its ordinal is not the next one, because another process was faster. */
  add(key: SigningKey): Promise<boolean>
  /** Withdraws every key as this one is made, and adds it as the newest: all or nothing. */
  replaceAll(key: Omit<SigningKey, 'ordinal'>): Promise<void>
  /** Erases what is older than a key that signs since then or longer, withdrawn or not. */
  erase(before: number): Promise<void>
}

export type SigningKeyState = 'next' | 'current' | 'previous'

/** The keys in memory; every one it tells of is trusted at that time. */
export interface SigningKeys {
  /** The key that signs. Throws when none of those that may sign opens with the master keys of this process. */
  current(now: number): { readonly kid: string; readonly privateKey: CryptoKey }
  publicKey(kid: string, now: number): CryptoKey | null
  /** As `publicKey`, but looks into the storage for a key that is unknown here; at most once a second. */
  findPublicKey(kid: string, now: number): Promise<CryptoKey | null>
  /** JSON Web Key Set (RFC 7517), as JSON. */
  jwks(now: number): string
  /** Oldest first. */
  list(now: number): TrustedKey[]
  /** Reads them again: another process may have added or withdrawn some. */
  reload(): Promise<void>
  /** Adds the next key, to sign in ten minutes; where there is one already it stays. */
  rotate(now: number): Promise<void>
  /** Withdraws every key for good and signs with a fresh one: whatever they signed is refused from now on. */
  withdrawAll(now: number): Promise<void>
  /** The round of housekeeping: reads them again, adds the next key when it is due, erases what nobody trusts. */
  maintain(now: number): Promise<void>
}

/** A key as the operator sees it. */
export interface TrustedKey {
  readonly kid: string
  readonly state: SigningKeyState
  readonly createdAt: number
  readonly signsFrom: number
  /** When the last token it may have signed has expired; null while no newer key is there. */
  readonly trustedUntil: number | null
}

const MINUTE = 60_000

/** How long before it signs a key is published: longer than caches of the key set, and than processes' rounds. */
export const leadTimes = { scheduled: 60 * MINUTE, requested: 10 * MINUTE }

/** How long a key is trusted once another one signs: what it signed last must expire, by the slowest of the clocks. */
export const trustMs = (accessTokenSeconds + clockSkewSeconds) * 1000

/** When trust in the key at `index` ends; never while it is the newest. `keys` oldest first. */
export function trustEnd(keys: readonly SigningKey[], index: number): number {
  const newer = keys.slice(index + 1).map(({ signsFrom }) => signsFrom)
  return Math.min(...newer) + trustMs
}

/**
 * Where in `keys`, oldest first, the current one is: the newest that may sign. A clock behind the one of the process
 * that made the very first key takes that one.
 */
export const currentIndex = (keys: readonly SigningKey[], now: number): number =>
  Math.max(
    keys.findLastIndex(({ signsFrom }) => signsFrom <= now),
    0,
  )

/** Whether the newest key has signed so long that the next one is to be published. */
export const isRotationDue = ({ signsFrom }: SigningKey, periodMs: number, now: number): boolean =>
  now >= signsFrom + periodMs - leadTimes.scheduled
