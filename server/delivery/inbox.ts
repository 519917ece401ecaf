import type { DeliveryMethod, OtpScope } from '../../contract/otp.ts'

/** A message in the testing channel's inbox; `sealed` holds `{code, text}` under the keyring. */
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

/** Which messages of the testing channel are asked for. */
export interface InboxFilter {
  readonly tenantId?: string
  readonly otpId?: string
  readonly recipient?: string
}

/** An entry in the inbox. Places rise in the order in which entries can first be read, and none is given twice. */
export interface PostedEntry extends InboxEntry {
  readonly place: number
}

/** The testing channel's inbox. */
export interface Inbox {
  /** The latest `limit` that match, oldest first. */
  list(filter: InboxFilter, limit: number): Promise<InboxEntry[]>
  /** The first `limit` behind a place, whoever posted them. What is behind it once stays behind it: nothing slips in before. */
  after(place: number, limit: number): Promise<PostedEntry[]>
  /** Where an entry is; null when there is none with this id. */
  placeOf(id: string): Promise<number | null>
  /** Where the latest entry is or was; 0 before the first. */
  latestPlace(): Promise<number>
  /**
   * Has `told` called with what this process posts, once it is stored; what others post is found by asking alone. `told`
   * must not throw.
   * @returns ends it
   */
  watch(told: (posted: readonly InboxEntry[]) => void): () => void
}
