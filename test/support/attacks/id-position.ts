import type { OtpScope } from '../../../contract/accounts/otp.ts'
import type { OperationName } from '../../../contract/operations.ts'

/** A place for an id in an operation, and a request that is valid apart from it. */
export interface IdPosition {
  readonly operation: OperationName
  readonly field: string
  /** The id is looked up together with a scope. */
  readonly scoped?: boolean
  /** Sent with the access token of the tenant's user. */
  readonly asUser?: boolean
  request(tenantId: string, id: string, beside: Beside): { line: string; body?: unknown }
}

/** The rest of a request. */
interface Beside {
  readonly scope: OtpScope | undefined
  readonly code: string
  /** A user of the tenant. */
  readonly userId: string
}
