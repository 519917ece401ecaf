import { DatabaseUnavailable, OutcomeUnknown } from '../storage-error.ts'
import { type FaultKind, faultOf, mayBeCommitted, SqliteFault } from './sqlite-error.ts'

/** `Retry-After` for each fault, in seconds. A full disk may recover soon; restoring a backup takes longer. */
const retryAfterSeconds: Readonly<Record<FaultKind, number>> = {
  locked: 1,
  full: 5,
  'read-only': 5,
  'I/O': 5,
  corrupt: 60,
  fsync: 5,
}

/** Tracks faults of the disk that holds one database file. Costs nothing until an operation fails. */
export class DiskHealth {
  readonly #onFatal: (error: Error) => void
  #failure: SqliteFault | null = null
  #fault: SqliteFault | null = null

  /** @param onFatal called once, when only a restart helps */
  constructor(onFatal: (error: Error) => void = () => {}) {
    this.#onFatal = onFatal
  }

  /** Set permanently when an fsync failed: no write can be trusted until a restart. */
  get failure(): Error | null {
    return this.#failure
  }

  /** The last fault since the disk was last known to work. A corrupt file is not replaced by later faults. */
  get fault(): SqliteFault | null {
    return this.#failure ?? this.#fault
  }

  /** Call when the disk is known to work: after a probe, or for a corrupt file after a check of the whole file. */
  clear(): void {
    this.#fault = null
  }

  /** Stops all writes, because the content of the file cannot be trusted. */
  fail(cause: unknown, message?: string): void {
    if (this.#failure !== null) return
    this.#failure = new SqliteFault('fsync', cause, message)
    this.#onFatal(this.#failure)
  }

  /** The error for the caller: DatabaseUnavailable for a disk fault, any other error unchanged. */
  refusalOf(error: unknown, retryAfter?: number): unknown {
    const fault = faultOf(error)
    if (fault === null) return error
    if (fault.kind !== 'locked' && this.#fault?.kind !== 'corrupt') this.#fault = fault
    return unavailable(fault, retryAfter)
  }

  /** The same for an error of COMMIT, after which the transaction may be committed. */
  commitRefusalOf(error: unknown): unknown {
    const refusal = this.refusalOf(error)
    return mayBeCommitted(error) ? new OutcomeUnknown(error as Error) : refusal
  }
}

/** The error for a job of which nothing was done. */
export const unavailable = (fault: SqliteFault, retryAfter = retryAfterSeconds[fault.kind]): DatabaseUnavailable =>
  new DatabaseUnavailable(retryAfter, fault)
