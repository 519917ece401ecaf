import { z } from 'zod'
import { ProfileUpdate } from '../accounts/profile.ts'
import { Restriction, Suspension } from '../accounts/user.ts'
import { emailAddress } from '../email-address.ts'
import { givenTime, Timestamp } from '../envelope.ts'
import { FieldDetail } from '../field-detail.ts'
import { operation } from '../operation.ts'
import { phoneNumberOr } from '../phone-number.ts'
import { SocialProvider } from '../tenants/tenant-configuration.ts'
import { text } from '../text.ts'
import { ImportedPassword } from './imported-password.ts'

const tenantPath = z.object({ tenantId: z.string() })
const moment = givenTime(({ code }) =>
  code === 'invalid_format' ? 'Expected a time with Z or an offset, such as 2026-01-31T12:00:00Z' : undefined,
)

const accountId = 'The id of the account at the provider (`sub`).'
/** A linked provider account in an import. */
const ImportedIdentity = z.object({
  provider: SocialProvider,
  subject: text({ max: 255 })
    .regex(/^[\x20-\x7e]*$/, { error: 'Expected the `sub` of an ID token, which has printable ASCII characters only' })
    .describe(accountId),
  email: emailAddress.nullable().optional(),
})
const ExportedIdentity = z.object({
  provider: SocialProvider,
  subject: z.string().describe(accountId),
  email: z.string().nullable(),
})

/** One user of an import. Requires an address, an identity or `guest`, so that the user can sign in again. */
export const ImportedUser = z.object({
  id: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { error: 'Expected a ULID; omit it to have one generated' })
    .optional()
    .describe('Default: generated.'),
  email: emailAddress.nullable().optional(),
  emailVerified: z.boolean().optional(),
  phone: phoneNumberOr('Expected a number with + and its country code, such as +33612345678').nullable().optional(),
  phoneVerified: z.boolean().optional(),
  guest: z.boolean().optional(),
  passwordHash: ImportedPassword.nullable()
    .optional()
    .describe('The password hash of the previous system; replaced at the first sign-in.'),
  identities: z.array(ImportedIdentity).max(1000).optional(),
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

/** A line of an import response: a failed row, the progress, or, as the last line, the totals. */
export const ImportLine = z.union([
  z.strictObject({
    error: z.strictObject({
      line: z.int().describe('Line number in the file, from 1.'),
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
      details: z
        .record(z.string(), FieldDetail)
        .optional()
        .describe('The violated rule of each refused profile field, with the keys of `validation`.'),
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
    'Accepts one user per line (NDJSON), with password hashes of another system. A failed row is reported with its line number; all other rows are stored. Reports progress every thousand rows; the last line is `done`. If the connection ends early, stored rows remain; when sent again, they fail as duplicates. With `dryRun=true` every row is judged as in an import and nothing is stored.',
  auth: 'admin',
  scope: 'users:write',
  params: tenantPath,
  query: z.object({
    dryRun: z
      .enum(['true', 'false'])
      .optional()
      .describe('true: only report; `imported` counts the users that an import would create. Default: false.'),
  }),
  bodyLines: ImportedUser,
  outputLines: true,
  status: 200,
  output: ImportLine,
  errors: ['TENANT_NOT_FOUND'],
})

/** One user of an export, in the format of an import. */
export const ExportedUser = z.strictObject({
  id: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  guest: z.boolean(),
  passwordHash: z.string().nullable().optional().describe('Only with `passwordHashes=true`.'),
  identities: z.array(ExportedIdentity),
  profile: z.record(z.string(), z.unknown()).nullable(),
  restrictions: z.array(Restriction),
  suspension: Suspension.nullable(),
  createdAt: Timestamp,
  lastActiveAt: Timestamp,
})
export type ExportedUser = z.infer<typeof ExportedUser>

/** The last line of an export. */
export const ExportEnd = z.strictObject({ done: z.strictObject({ exported: z.int() }) })

export const exportUsers = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/users/export',
  summary: 'Export users',
  description:
    'Returns one user per line (NDJSON) in the format of an import, ordered by id; the last line is `done`. Users created during the export may be missing.',
  auth: 'admin',
  scope: 'users:export',
  queryScopes: { passwordHashes: 'users:export-hashes' },
  params: tenantPath,
  query: z.object({
    passwordHashes: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether to include password hashes. Default: false.'),
    sensitive: z
      .enum(['true', 'false'])
      .optional()
      .describe('Whether to include values of fields with `sensitive: true`; otherwise they are null. Default: false.'),
  }),
  outputLines: true,
  status: 200,
  output: z.union([ExportedUser, ExportEnd]),
  errors: ['TENANT_NOT_FOUND'],
})
