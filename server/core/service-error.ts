import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'

/** What a refusal carries besides its code. */
export interface RefusalDetails {
  /** Field name to message; only with VALIDATION_ERROR. */
  readonly validation?: Readonly<Record<string, string>>
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Sent as `Allow`; only with METHOD_NOT_ALLOWED. */
  readonly allow?: readonly string[]
}

/** A refusal in the wire's own code: the one error type that reaches a client (contract 7). */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, details: RefusalDetails = {}, options?: ErrorOptions) {
    super(errors[code].message, options)
    this.code = code
    this.details = details
  }
}

/** A 400 with one message a field. */
export const invalid = (validation: Readonly<Record<string, string>>) =>
  new ServiceError('VALIDATION_ERROR', { validation })

/** Makes the refusals of one operation; a code it does not declare does not compile. */
export const refusalsOf =
  <const O extends Operation>(_operation: O) =>
  (code: O['errors'][number], details?: RefusalDetails): ServiceError =>
    new ServiceError(code, details)
