import { stepsOf } from '../../contract/fields/forms/form-steps.ts'
import type { SavedStep } from '../../contract/fields/forms/validate-step.ts'
import { ownValue } from '../../contract/fields/profile-values.ts'
import type { ProfileSchema } from '../../contract/profile-schema.ts'
import type { Refuse } from '../core/service-error.ts'

const UNKNOWN = 'Invalid enum value'

/**
 * The step that an update names (FORM-6); undefined when it names none.
 * @throws VALIDATION_ERROR
 */
export function findSavedStep(
  query: { readonly form?: string | undefined; readonly step?: string | undefined },
  { forms, components }: Pick<ProfileSchema, 'forms' | 'components'>,
  refuse: Refuse<'VALIDATION_ERROR'>,
): SavedStep | undefined {
  if (query.form === undefined && query.step === undefined) return undefined
  if (query.form === undefined) throw refuse('VALIDATION_ERROR', { validation: { form: 'Required' } })
  if (query.step === undefined) throw refuse('VALIDATION_ERROR', { validation: { step: 'Required' } })
  const form = ownValue(forms, query.form)
  if (form === undefined) throw refuse('VALIDATION_ERROR', { validation: { form: UNKNOWN } })
  const step = stepsOf(form).find(({ step }) => step === query.step)
  if (step === undefined) throw refuse('VALIDATION_ERROR', { validation: { step: UNKNOWN } })
  return { form, step, components }
}
