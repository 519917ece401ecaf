/** A user whose account is erased, and whose events may still have personal parts. */
export interface ErasedUser {
  readonly tenantId: string
  readonly userId: string
  /** Epoch milliseconds. */
  readonly erasedAt: number
}

/** Whether the user is the one that an event is about, or the one who acted. */
export const eventRoles = ['subject', 'actor'] as const
export type EventRole = (typeof eventRoles)[number]

/** Erases the personal parts of a user's events in one tenant. Ids stay, and the log still verifies. */
export interface EventErasureStore {
  /**
   * Erases those of the newest events, and marks the user, so that `finishErasures` erases the rest. Call it in the
   * transaction that erases the user.
   */
  start(userId: string, now: number): Promise<void>
  /**
   * Erases the next batch of sealed events, in the order of their ids.
   * @param after the id that an earlier call returned; an empty string at first
   * @returns the id of the last event of the batch; null when there are no more
   */
  eraseNext(userId: string, role: EventRole, after: string): Promise<string | null>
  /** Whether the user is marked. */
  isUnfinished(userId: string): Promise<boolean>
  /** Removes the mark. */
  finish(userId: string): Promise<void>
}

/** The marked users of all tenants. */
export interface ErasedUserDirectory {
  /** Those erased before a time, oldest first. */
  list(before: number, page: { readonly limit: number; readonly after: ErasedUser | null }): Promise<ErasedUser[]>
  /**
   * When the oldest queued event of a log happened, in epoch milliseconds; null when none is queued.
   * @param tenantId null: of any log. Of one it may read the whole queue
   */
  oldestQueuedAt(tenantId: string | null): Promise<number | null>
}
