import { z } from 'zod'
import { operation } from '../operation.ts'

/** How far the signed-in user has completed a step of a form. */
const StepState = z.strictObject({
  step: z.string(),
  complete: z.boolean(),
  missing: z.array(z.string()).describe('Fields that the step requires and that have no value.'),
  invalid: z.array(z.string()).describe('Fields with a stored value that the profile schema no longer accepts.'),
})

/** How far the signed-in user has completed a form. */
export const FormState = z.strictObject({
  form: z.string(),
  complete: z.boolean(),
  nextStep: z.string().nullable().describe('The first step that is not complete; null when the form is.'),
  steps: z.array(StepState),
})
export type FormState = z.infer<typeof FormState>

export const getFormState = operation({
  method: 'GET',
  path: '/account/profile/forms/:form',
  summary: 'Read the state of a form',
  description:
    'Returns which steps of a form of the profile schema the signed-in user has completed: all required fields have a value, no stored value that the user can change is one that the schema would refuse now, and the address of a `verify` step is verified. A form without `steps` has one step named `form`. The state is computed from the profile with each request, so a later version of the schema can reopen a form.',
  auth: 'tenant, user',
  params: z.object({ form: z.string() }),
  status: 200,
  output: FormState,
  errors: ['FORM_NOT_FOUND', 'UNEXPECTED_STATE'],
})
