import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { Timestamp } from './envelope.ts'
import { ImportedPassword } from './imported-password.ts'
import { operation } from './operation.ts'
import { phoneNumber } from './phone-number.ts'
import { ProfileUpdate } from './profile.ts'
import { SocialProvider } from './tenant-configuration.ts'
import { text } from './text.ts'
import { Restriction, Suspension } from './user.ts'

const tenantPath = z.object({ tenantId: z.string() })
const moment = z.iso.datetime({ offset: true })

/** A user's account at a provider, as it moves between systems. */
const MovedIdentity = z.object({
  provider: SocialProvider,
  subject: text({ max: 255 }).describe('The provider’s id of the account (`sub`).'),
  email: emailAddress.nullable().optional(),
})

/** One user of an import. An address, an identity or `guest` is wanted: somebody must be able to come back. */
export const ImportedUser = z.object({
  id: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { error: 'Give a ULID, or leave it out' })
    .optional()
    .describe('Kept where it is given; made where it is not.'),
  email: emailAddress.nullable().optional(),
  emailVerified: z.boolean().optional(),
  phone: phoneNumber.nullable().optional(),
  phoneVerified: z.boolean().optional(),
  guest: z.boolean().optional(),
  passwordHash: ImportedPassword.nullable()
    .optional()
    .describe('A hash of the system the user comes from; hashed anew at the first sign-in.'),
  identities: z.array(MovedIdentity).max(20).optional(),
  profile: ProfileUpdate.nullable().optional(),
  restrictions: z
    .array(Restriction.partial({ reason: true, until: true }))
    .max(20)
    .optional(),
  suspension: Suspension.partial().nullable().optional(),
  createdAt: moment.optional(),
  lastActiveAt: moment.optional(),
})
export type ImportedUser = z.infer<typeof ImportedUser>

const Counts = z.strictObject({ read: z.int(), imported: z.int(), failed: z.int() })

/** A line of the answer to an import: a row that failed, how far it is, or, as the last one, that it is done. */
export const ImportLine = z.union([
  z.strictObject({
    error: z.strictObject({
      line: z.int().describe('Of the file, from 1.'),
      code: z.enum([
        'VALIDATION_ERROR',
        'EMAIL_ALREADY_REGISTERED',
        'PHONE_ALREADY_REGISTERED',
        'IDENTITY_LINKED_ELSEWHERE',
        'USER_ALREADY_EXISTS',
        'PAYLOAD_TOO_LARGE',
      ]),
      message: z.string(),
      validation: z.record(z.string(), z.string()).optional(),
    }),
  }),
  z.strictObject({ progress: Counts }),
  z.strictObject({ done: Counts }),
])
export type ImportLine = z.infer<typeof ImportLine>

export const importUsers = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/users/import',
  summary: 'Import users',
  description:
    'One user a line (NDJSON), with the password hashes of another system. A row that fails is told with its line and stops nothing; rows before and after it are stored. Progress is told every thousand rows; the last line is `done`. Rows already stored stay when the connection ends before that: sent again they fail as known.',
  auth: 'admin',
  params: tenantPath,
  bodyLines: ImportedUser,
  outputLines: true,
  status: 200,
  output: ImportLine,
  errors: ['TENANT_NOT_FOUND'],
})

/** One user of an export: what an import takes. */
export const ExportedUser = z.strictObject({
  id: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  guest: z.boolean(),
  passwordHash: z.string().nullable().optional().describe('With `passwordHashes=true` alone.'),
  identities: z.array(MovedIdentity.extend({ email: z.string().nullable() })),
  profile: z.record(z.string(), z.unknown()).nullable(),
  restrictions: z.array(Restriction),
  suspension: Suspension.nullable(),
  createdAt: Timestamp,
  lastActiveAt: Timestamp,
})
export type ExportedUser = z.infer<typeof ExportedUser>

export const exportUsers = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/export',
  summary: 'Export users',
  description:
    'One user a line (NDJSON), as an import takes them, in the order of their ids; the last line is `done`. Users made meanwhile may be in it or not.',
  auth: 'admin',
  params: tenantPath,
  query: z.object({
    passwordHashes: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether password hashes come along; they do not when absent.'),
  }),
  outputLines: true,
  status: 200,
  output: z.union([ExportedUser, z.strictObject({ done: z.strictObject({ exported: z.int() }) })]),
  errors: ['TENANT_NOT_FOUND'],
})
