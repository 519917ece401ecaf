import { z } from 'zod'
import { NextForm } from './next-form.ts'
import { User } from './user.ts'

/** The response to every sign-in and refresh. `expiresIn` is in seconds. */
export const SessionAnswer = z.strictObject({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int(),
  refreshToken: z.string(),
  user: User,
  isNewUser: z.boolean(),
  firstProof: z
    .literal(true)
    .optional()
    .describe(
      'Present if this sign-in is the first verification of an address that the account had only claimed. All sign-in methods added before were removed, and write-once profile fields that were set before can be corrected.',
    ),
  nextForm: NextForm,
})
export type SessionAnswer = z.infer<typeof SessionAnswer>
