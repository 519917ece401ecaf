import { z } from 'zod'

/** `nextForm` of session answers and of `GET /account`. */
export const NextForm = z
  .string()
  .nullable()
  .optional()
  .describe(
    'The form with `prompt` that the user has not completed yet; null when there is nothing to ask for. Present only if a form of the profile schema has `prompt`.',
  )
