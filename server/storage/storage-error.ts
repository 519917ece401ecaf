import { ServiceError } from '../core/service-error.ts'

/** Nothing was done: the database takes no more now, or it cannot write. Safe to retry. */
export class DatabaseUnavailable extends ServiceError {
  /**
   * @param retryAfterSeconds when the same request is likely to succeed
   * @param cause the reason, for the log
   */
  constructor(retryAfterSeconds: number, cause?: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause })
  }
}

/**
 * The COMMIT was sent and its result is unknown: what was written may or may not be there, so clients get
 * INTERNAL_SERVER and never a refusal. Safe to retry.
 */
export class OutcomeUnknown extends ServiceError {
  override name = 'OutcomeUnknown'
  constructor(cause: Error) {
    super('INTERNAL_SERVER', {}, { cause })
    this.message = `It is not known whether the COMMIT was done: ${cause.message}`
  }
}
