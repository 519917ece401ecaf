import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { FieldDetail } from '../../contract/fields/field-problem.ts'
import type { MissingGrant } from '../../contract/scope-names.ts'

/** What a refusal contains besides its code. */
interface RefusalDetails {
  /** Field name to message; only with VALIDATION_ERROR. */
  readonly validation?: Readonly<Record<string, string>>
  /** Field name to violated rule, for profile fields. */
  readonly details?: Readonly<Record<string, FieldDetail>>
  /** What the operator lacks; only with INSUFFICIENT_SCOPE. */
  readonly missing?: MissingGrant
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Sent as `Allow`; only with METHOD_NOT_ALLOWED. */
  readonly allow?: readonly string[]
}

/** A refusal with its code on the wire: the only error type whose code reaches a client. */
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

/** VALIDATION_ERROR with one message per field. */
export const invalid = (validation: Readonly<Record<string, string>>) =>
  new ServiceError('VALIDATION_ERROR', { validation })

/**
 * Makes a refusal with one of the codes `C`. A function that refuses takes a call whose `refuse` has its codes, so an
 * operation that does not declare one of them does not compile.
 */
export type Refuse<C extends ErrorCode> = (code: C, details?: RefusalDetails, options?: ErrorOptions) => ServiceError

/** `refuse` of every call; the type of the call narrows it to the codes of its operation. */
export const refuse: Refuse<ErrorCode> = (code, details, options) => new ServiceError(code, details, options)
