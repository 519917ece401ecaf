/** A sliding log as it is stored. */
export interface StoredLog {
  /** Another with every change; '' when nothing is stored. */
  readonly revision: string
  /** The times, as `SlidingLog` writes them. */
  readonly times: string
}

/** Sliding logs in a database that processes share, each under a key of its own. */
export interface LimitLogStore {
  find(key: string): Promise<StoredLog>
  /**
   * Stores a log in place of the one of the revision `seen`, or where there is none.
   *
   * @param expiresAt when nothing of it counts any more, in epoch milliseconds
   * @returns what is stored now: the log, or another that came between
   */
  exchange(key: string, log: StoredLog, expiresAt: number, seen: string): Promise<StoredLog>
  /** Erases up to `batch` logs that expired before `now`; true when there is more to do. */
  purge(now: number, batch: number): Promise<boolean>
}
