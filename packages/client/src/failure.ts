import type { FieldDetail } from '../../../contract/fields/field-problem.ts'
import type { ErrorCode } from './generated/types.ts'

/** The body of an error response. */
export interface Failure {
  readonly meta: { readonly requestId: string; readonly timestamp: string }
  readonly error: {
    readonly message: string
    readonly code: ErrorCode
    readonly status: number
    readonly validation?: Readonly<Record<string, string>>
    readonly missing?: string
    readonly details?: Readonly<Record<string, FieldDetail>>
  }
}
