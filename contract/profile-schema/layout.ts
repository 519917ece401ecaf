import { z } from 'zod'
import { Condition } from './condition.ts'
import { LocalizedText } from './localized-text.ts'

const texts = { title: LocalizedText.optional(), description: LocalizedText.optional() }

/** A group of fields on the profile page. */
export const PresentationSection = z.strictObject({ section: z.string(), ...texts, fields: z.array(z.string()) })
export type PresentationSection = z.infer<typeof PresentationSection>

/** One step of a form: fields to fill in, or an address to verify. */
export const FormStep = z.strictObject({
  step: z.string(),
  ...texts,
  fields: z.array(z.string()).optional(),
  required: z.array(z.string()).optional(),
  verify: z
    .enum(['email', 'phone'])
    .optional()
    .meta({ description: 'The step is complete when the address of the account is verified. Excludes `fields`.' }),
  visibleWhen: Condition.optional().meta({ description: 'While it does not hold, the step is skipped.' }),
})
export type FormStep = z.infer<typeof FormStep>

/** A form, such as `signUp`: either `fields` with the required ones, or `steps`. */
export const ProfileForm = z.strictObject({
  ...texts,
  fields: z.array(z.string()).optional(),
  required: z.array(z.string()).optional(),
  steps: z.array(FormStep).optional(),
  prompt: z
    .enum(['signIn'])
    .optional()
    .meta({ description: 'Session answers name this form in `nextForm` until it is complete. One form of a schema.' }),
  promptAgainDays: z
    .int()
    .optional()
    .meta({ description: 'Days until an incomplete form is named again after a sign-in. Default: 0, every time.' }),
})
export type ProfileForm = z.infer<typeof ProfileForm>
