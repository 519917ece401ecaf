import type { DeliveryMethod, OtpScope } from '../../contract/accounts/otp.ts'

/** A message in the testing channel's inbox; `sealed` is `{code, text}`, encrypted with the keyring. */
export interface InboxEntry {
  readonly id: string
  readonly tenantId: string
  readonly otpId: string | null
  readonly scope: OtpScope | null
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
  readonly sealed: string
  readonly createdAt: number
}

/** Which entries to return; every given field must match. */
export interface InboxFilter {
  readonly tenantId?: string
  readonly otpId?: string
  readonly recipient?: string
}

/** A stored entry. Places increase in the order in which entries become readable; no place is used twice. */
export interface PostedEntry extends InboxEntry {
  readonly place: number
}

/** The testing channel's inbox. */
export interface Inbox {
  /**
   * Stores test messages; one whose id is already stored is ignored, and so is one of an erased tenant. All other messages
   * are posted by `Outbox.recordAndClaim`.
   */
  post(entries: readonly InboxEntry[]): Promise<void>
  /** The latest `limit` matching entries, oldest first. */
  list(filter: InboxFilter, limit: number): Promise<InboxEntry[]>
  /** The first `limit` entries after a place, from every process. No entry is ever added before a place already read. */
  after(place: number, limit: number): Promise<PostedEntry[]>
  /** The place of an entry, even if that was cleared; null for an unknown id. */
  placeOf(id: string): Promise<number | null>
  /** The place of the latest entry, even if that was deleted; 0 before the first one. */
  latestPlace(): Promise<number>
  /**
   * Calls `listener` with the entries that this process stores, after they are committed. Entries of other processes are
   * found by `after` only. `listener` must not throw.
   * @returns a function that removes the listener
   */
  watch(listener: (posted: readonly InboxEntry[]) => void): () => void
}
