import { z } from 'zod'
import { Meta } from './envelope.ts'
import { type ErrorCode, errors } from './errors.ts'
import { FieldDetail } from './field-detail.ts'
import { MissingGrant } from './scope-names.ts'

/** The body of every error response. */
export const Failure = z.strictObject({
  meta: Meta,
  error: z.strictObject({
    message: z.string(),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    status: z.int(),
    validation: z.record(z.string(), z.string()).optional(),
    details: z
      .record(z.string(), FieldDetail)
      .optional()
      .meta({ description: 'The violated rule of each refused profile field, with the keys of `validation`.' }),
    missing: MissingGrant.optional().meta({
      description: 'What the operator lacks; only with `INSUFFICIENT_SCOPE`.',
    }),
  }),
})
export type Failure = z.infer<typeof Failure>
