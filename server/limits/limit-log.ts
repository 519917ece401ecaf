/** A sliding log as it is stored. */
export interface StoredLog {
  /** Changes with every write; '' when nothing is stored. */
  readonly revision: string
  /** The times, as `SlidingLog` writes them. */
  readonly times: string
}

/** Sliding logs in a database that processes share, by key. */
export interface LimitLogStore {
  find(key: string): Promise<StoredLog>
  /**
   * Stores a log if the stored revision is still `seen`, or if there is none.
   *
   * @param expiresAt when its last entry leaves the window, in epoch milliseconds
   * @returns what is stored now: the log, or one that another process wrote in between
   */
  exchange(key: string, log: StoredLog, expiresAt: number, seen: string): Promise<StoredLog>
}
