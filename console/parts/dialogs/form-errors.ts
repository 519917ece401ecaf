import { TenantryError } from '../../../packages/client/src/errors.ts'

/** The server's messages by field, for `form.setErrors`; empty unless it refused values. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof TenantryError && error.validation !== undefined ? { ...error.validation } : {}

/** The error to show beside the fields of a form: null where each message is at one of them. */
export function errorBesideFields(error: unknown, fields: readonly string[]): unknown {
  const refused = Object.keys(fieldErrorsOf(error))
  return refused.length > 0 && refused.every((name) => fields.includes(name)) ? null : error
}
