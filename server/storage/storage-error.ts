import { ServiceError } from '../core/service-error.ts'

/** Nothing was done, because the database is overloaded or cannot write. Safe to retry. */
export class DatabaseUnavailable extends ServiceError {
  /**
   * @param retryAfterSeconds when a retry is likely to succeed
   * @param cause for the log
   */
  constructor(retryAfterSeconds: number, cause?: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause })
  }
}

/**
 * The COMMIT was sent and its result is unknown. The writes may or may not be stored, so clients get INTERNAL_SERVER
 * and not an error that says nothing was done. Safe to retry.
 */
export class OutcomeUnknown extends ServiceError {
  override name = 'OutcomeUnknown'
  constructor(cause: Error) {
    super('INTERNAL_SERVER', {}, { cause })
    this.message = `the result of the COMMIT is unknown: ${cause.message}`
  }
}
