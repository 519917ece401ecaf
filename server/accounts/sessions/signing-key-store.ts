import type { QueuedEvent } from '../../events/event.ts'

/**
 * A key that signs access tokens; its private half is sealed under the keyring. Its state follows from the time: *next*
 * until `signsFrom`, then *current*, and *previous* once a newer key signs. Times in epoch milliseconds.
 */
export interface SigningKey {
  readonly kid: string
  /** Increases from key to key: of processes that add one concurrently, one wins. */
  readonly ordinal: number
  /** JWK of the public half, as JSON. */
  readonly publicJwk: string
  readonly sealedPrivateJwk: string
  readonly createdAt: number
  /** Before that the key is only published, so that every verifier knows it before it signs. */
  readonly signsFrom: number
}

/** The signing keys of the deployment. */
export interface SigningKeyStore {
  /** Keys that were not withdrawn, oldest first. */
  list(): Promise<SigningKey[]>
  /** Adds the newest key; false when its ordinal is not the next one, because another process was faster. */
  add(key: SigningKey, event?: QueuedEvent | null): Promise<boolean>
  /** Withdraws every key and adds this one as the newest, atomically. */
  replaceAll(key: Omit<SigningKey, 'ordinal'>, event?: QueuedEvent | null): Promise<void>
  /** Erases keys that are older than one that has signed since `before`, withdrawn or not. */
  erase(before: number): Promise<void>
}
