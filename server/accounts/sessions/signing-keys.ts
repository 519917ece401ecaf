import type { KeyObject } from 'node:crypto'
import { clockMarginMs } from '../../core/clock.ts'
import type { EventSource } from '../../events/record.ts'
import { accessTokenSeconds, clockSkewSeconds } from './access-token-times.ts'
import type { SigningKey } from './signing-key-store.ts'

type SigningKeyState = 'next' | 'current' | 'previous'

/** The keys in memory; it returns only keys that are trusted at the given time. */
export interface SigningKeys {
  /** The key that signs. Throws when this process can open no key that may sign. */
  current(now: number): { readonly kid: string; readonly privateKey: KeyObject }
  publicKey(kid: string, now: number): CryptoKey | null
  /** As `publicKey`, but looks in storage for an unknown key, at most once a second. */
  findPublicKey(kid: string, now: number): Promise<CryptoKey | null>
  /** JSON Web Key Set (RFC 7517), as JSON. */
  jwks(now: number): string
  /** Oldest first. */
  list(now: number): TrustedKey[]
  /** Reads the keys from storage: another process may have added or withdrawn some. */
  reload(): Promise<void>
  /**
   * Adds the next key, which signs in ten minutes; does nothing when there is one already.
   * @param by who does it, for the log of the deployment
   */
  rotate(now: number, by?: EventSource): Promise<void>
  /** Withdraws every key for good and signs with a new one: all tokens issued before are refused. */
  withdrawAll(now: number, by?: EventSource): Promise<void>
  /** Housekeeping: reloads the keys, adds the next one when it is due, erases those that are no longer trusted. */
  maintain(now: number): Promise<void>
}

/** A key as the operator sees it. */
export interface TrustedKey {
  readonly kid: string
  readonly state: SigningKeyState
  readonly createdAt: number
  readonly signsFrom: number
  /** When the last token it may have signed has expired; null without a newer key. */
  readonly trustedUntil: number | null
}

const MINUTE = 60_000

/** How long a key is published before it signs: longer than key sets are cached, and than the housekeeping interval. */
export const leadTimes = { scheduled: 60 * MINUTE, requested: 10 * MINUTE }

/** How long a key is trusted once another one signs: until its last token has expired by the slowest clock. */
export const trustMs = (accessTokenSeconds + clockSkewSeconds) * 1000

/**
 * When trust in the key at `index` ends; never for the newest.
 * @param keys oldest first
 */
export function trustEnd(keys: readonly SigningKey[], index: number): number {
  const newer = keys.slice(index + 1).map(({ signsFrom }) => signsFrom)
  return Math.min(...newer) + trustMs
}

/**
 * The index of the current key: the newest that may sign. When the clock is behind `signsFrom` of all keys, the oldest.
 * @param keys oldest first
 */
export const currentIndex = (keys: readonly SigningKey[], now: number): number =>
  Math.max(
    keys.findLastIndex(({ signsFrom }) => signsFrom <= now),
    0,
  )

/** Whether the key was added while the clock was wrong: waiting for it would stop the rotation until then. */
export const isOutOfReach = ({ signsFrom }: SigningKey, now: number): boolean => signsFrom > now + clockMarginMs

/** Whether the next key is to be published. */
export const isRotationDue = (newest: SigningKey, periodMs: number, now: number): boolean =>
  now >= newest.signsFrom + periodMs - leadTimes.scheduled || isOutOfReach(newest, now)
