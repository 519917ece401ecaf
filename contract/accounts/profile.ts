import { z } from 'zod'
import { Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'

/** A profile: three fixed fields, and every field of the tenant's profile schema, null where unset. */
export const Profile = z.looseObject({ id: z.string(), createdAt: Timestamp, updatedAt: Timestamp })
export type Profile = z.infer<typeof Profile>

/** A profile as it is read: before the first update, `id`, both times and every field are null. */
export const ReadProfile = z.looseObject({
  id: z.string().nullable(),
  createdAt: Timestamp.nullable().describe('null before the first update.'),
  updatedAt: Timestamp.nullable(),
})
export type ReadProfile = z.infer<typeof ReadProfile>

/** The step of a form that an update saves. */
const ProfileUpdateQuery = z.object({
  form: z.string().optional().describe('A form of the profile schema; requires `step`.'),
  step: z
    .string()
    .optional()
    .describe(
      'A step of the form; `form` for a form without steps. Fields outside the step are ignored, and its required fields must have a value.',
    ),
})

/** Fields of the tenant's profile schema, which validates them. */
export const ProfileUpdate = z.record(z.string(), z.unknown())

export const updateProfile = operation({
  method: 'PATCH',
  path: '/account/profile',
  summary: 'Update the profile',
  description:
    'Creates or partially updates the profile of the signed-in user: only the given fields change, null clears a field, unknown keys are ignored. With `form` and `step`, saves one step of a form. With `If-Match`, only if the profile has the revision that the client read.',
  auth: 'tenant, user',
  limit: 'profile',
  capability: 'profile_update',
  query: ProfileUpdateQuery,
  body: ProfileUpdate,
  status: 200,
  output: Profile,
  revisioned: true,
  errors: ['UNEXPECTED_STATE', 'PROFILE_CHANGED'],
})

export const getProfile = operation({
  method: 'GET',
  path: '/account/profile',
  summary: 'Read the profile',
  description:
    'Returns the profile of the signed-in user with every field of the profile schema, null where unset. Before the first update, `id`, `createdAt` and `updatedAt` are null too.',
  auth: 'tenant, user',
  status: 200,
  output: ReadProfile,
  revisioned: true,
  errors: ['UNEXPECTED_STATE'],
})

/** What an update would do with a field. */
export const FieldState = z
  .enum(['ok', 'invalid', 'taken', 'ignored'])
  .describe(
    'ok: it would be stored. invalid: the update would be refused because of it. taken: another user has the value of a unique field. ignored: unknown, hidden or not writable.',
  )
export type FieldState = z.infer<typeof FieldState>

/** The fields of an update, and others that it would be refused for. */
export const CheckedFields = z.strictObject({ fields: z.record(z.string(), FieldState) })
export type CheckedFields = z.infer<typeof CheckedFields>

export const checkProfile = operation({
  method: 'POST',
  path: '/account/profile/check',
  summary: 'Check an update of the profile',
  description:
    'Tells what `PATCH /account/profile` with the same body would do with each field, for example whether a nickname is taken. Stores nothing. Another user can take a free value in the meantime.',
  auth: 'tenant, user',
  limit: 'profile-check',
  capability: 'profile_update',
  body: ProfileUpdate,
  status: 201,
  output: CheckedFields,
  errors: ['UNEXPECTED_STATE'],
})
