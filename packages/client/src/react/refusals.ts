import { limitToStep } from '../../../../contract/fields/forms/form-steps.ts'
import type { ProfileSchema } from '../generated/types.ts'
import type { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'

/** Messages about fields, and the rules behind them. */
export interface Refusals {
  readonly errors: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, FieldDetail>>
}

/** The values that `validate` refuses; none without it. */
export function refusalsBy(
  validate: typeof validateProfile | undefined,
  schema: ProfileSchema,
  values: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>> | null,
): { readonly errors: Record<string, string>; readonly details: Record<string, FieldDetail> } {
  const details: Record<string, FieldDetail> = {}
  return { errors: { ...validate?.(schema, values, { current, details }) }, details }
}

/** The refusals of some fields. */
export const refusalsAbout = (fields: readonly string[], { errors, details }: Refusals): Refusals => ({
  errors: limitToStep(errors, { fields }),
  details: limitToStep(details, { fields }),
})
