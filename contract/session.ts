import { z } from 'zod'
import { User } from './user.ts'

/** The answer of every sign-in and refresh. `expiresIn` is in seconds. */
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
      'Present when this sign-in is the first proof of an address that the account had only claimed: everything another person could sign in with was removed, and write-once profile fields stored before may be corrected.',
    ),
})
export type SessionAnswer = z.infer<typeof SessionAnswer>
