import { TenantryError } from '../../../packages/client/src/errors.ts'

/** The server's messages by field, for `form.setErrors`; empty unless it refused values. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof TenantryError && error.validation !== undefined ? { ...error.validation } : {}
