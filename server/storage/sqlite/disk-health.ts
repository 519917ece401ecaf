import { DatabaseUnavailable, OutcomeUnknown } from '../storage-error.ts'
import { type FaultKind, faultOf, mayBeCommitted, SqliteFault } from './sqlite-error.ts'

/** When to ask again after a fault, in seconds: a full disk is tried again soon, a restored backup takes a while. */
const retryAfterSeconds: Readonly<Record<FaultKind, number>> = {
  locked: 1,
  full: 5,
  'read-only': 5,
  'I/O': 5,
  corrupt: 60,
  fsync: 5,
}

/** What is known of the disk under one database file. Costs nothing until an operation fails. */
export class DiskHealth {
  readonly #onFatal: (error: Error) => void
  #failure: SqliteFault | null = null
  #fault: SqliteFault | null = null

  /** @param onFatal called once, when nothing but a restart helps */
  constructor(onFatal: (error: Error) => void = () => {}) {
    this.#onFatal = onFatal
  }

  /** Set for good once the disk failed to sync: no write can be trusted until a restart. */
  get failure(): Error | null {
    return this.#failure
  }

  /** The last fault that reads or writes met since the disk was proven to work; one of a corrupt file stays the last. */
  get fault(): SqliteFault | null {
    return this.#failure ?? this.#fault
  }

  /** The disk was proven to work: by a probe, or where the file was corrupt by a check of all of it. */
  clear(): void {
    this.#fault = null
  }

  /** Ends all writing: what the file holds cannot be trusted. */
  fail(cause: unknown, message?: string): void {
    if (this.#failure !== null) return
    this.#failure = new SqliteFault('fsync', cause, message)
    this.#onFatal(this.#failure)
  }

  /** The error for callers: SQLite's own errors become a refusal, any other error is returned as it is. */
  refusalOf(error: unknown, retryAfter?: number): unknown {
    const fault = faultOf(error)
    if (fault === null) return error
    if (fault.kind !== 'locked' && this.#fault?.kind !== 'corrupt') this.#fault = fault
    return unavailable(fault, retryAfter)
  }

  /** The same for an error of COMMIT, which may have been done all the same. */
  commitRefusalOf(error: unknown): unknown {
    const refusal = this.refusalOf(error)
    return mayBeCommitted(error) ? new OutcomeUnknown(error as Error) : refusal
  }
}

/** The refusal of what was certainly not done. */
export const unavailable = (fault: SqliteFault, retryAfter = retryAfterSeconds[fault.kind]): DatabaseUnavailable =>
  new DatabaseUnavailable(retryAfter, fault)
