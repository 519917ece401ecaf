import { z } from 'zod'
import { ImportedUser, type ImportLine } from '../../../contract/admin/user-lines.ts'
import { errors } from '../../../contract/errors.ts'
import type { FieldDetail } from '../../../contract/field-detail.ts'
import type { InvalidFields } from '../../../contract/fields/compile-fields.ts'
import { fieldMessages, validationMessage } from '../../../contract/validation-messages.ts'
import type { Identity } from '../../accounts/identity.ts'
import { newUser, type User } from '../../accounts/user.ts'
import { ulid } from '../../core/ids.ts'
import { readImportedPassword } from '../../passwords/imported/read-imported-password.ts'
import { invalidProfile } from '../../profiles/invalid-profile.ts'
import { profileContent } from '../../profiles/profile-content.ts'
import type { StoredProfile } from '../../profiles/profile-store.ts'
import { compiledSchemaOf } from '../../profiles/schema/compiled-profile-schemas.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { readRestrictions, readSuspension } from '../restrictions.ts'

/** The reader of imported passwords reports problems in more detail than a schema. */
const Row = ImportedUser.extend({ passwordHash: z.unknown().optional() })
type Row = z.infer<typeof Row>

/** A row of an import, ready to be stored. */
export interface ImportRow {
  readonly user: User
  /** The row has the id of the user, which an earlier user may have had; a generated one is new. */
  readonly namesId: boolean
  readonly passwordHash: string | null
  readonly identities: readonly Identity[]
  readonly profile: StoredProfile | null
}

type Problem = Omit<Extract<ImportLine, { error: object }>['error'], 'line'>
/** The row, or its problem. */
export type CheckedRow =
  | { readonly row: ImportRow; readonly problem?: undefined }
  | { readonly row?: undefined; readonly problem: Problem }

/** The problem of a row with invalid fields. */
export const invalid = (validation: Record<string, string>): { readonly problem: Problem } => refused({ validation })

/** The problem of a row with an invalid profile, with the violated rules (SCHEMA-12). */
export function invalidProfileOf(fields: InvalidFields): { readonly problem: Problem } {
  const { validation, details } = invalidProfile(fields)
  // The types differ in one thing: arrays in answers are not declared as read-only.
  return refused({ validation, details: details as Record<string, FieldDetail> })
}

const refused = (fields: Pick<Problem, 'validation' | 'details'>): { readonly problem: Problem } => ({
  problem: { code: 'VALIDATION_ERROR', message: errors.VALIDATION_ERROR.message, ...fields },
})

/** The context for checking rows. */
interface RowContext {
  readonly snapshot: TenantSnapshot
  readonly now: number
  /** Largest stored profile in bytes. */
  readonly profileBytes: number
  /** Memory in MiB above which an imported hash is refused. */
  readonly hashMemoryMiB: number
}

/** A day is allowed, because the clock of the other system may be ahead of this one. */
const isFuture = (time: string | undefined, now: number): boolean =>
  time !== undefined && Date.parse(time) > now + 86_400_000

/** Checks a row of an import. Profiles may contain what clients cannot write, and what only a stored profile can be. */
export function checkRow(value: unknown, rules: RowContext): CheckedRow {
  const { now } = rules
  const parsed = Row.safeParse(value, { error: validationMessage })
  if (!parsed.success) return invalid(fieldMessages(parsed.error.issues))
  const given = parsed.data
  const future = (['createdAt', 'lastActiveAt'] as const).filter((field) => isFuture(given[field], now))
  if (future.length > 0)
    return invalid(Object.fromEntries(future.map((field) => [field, 'Expected a time in the past'])))
  const hasWayIn = Boolean(given.email || given.phone || given.identities?.length)
  if (!hasWayIn && !given.guest) return invalid({ email: 'Required' })
  // Inactive guests are erased, so a user who can sign in again must not be a guest.
  if (given.guest && (hasWayIn || given.passwordHash != null)) return invalid({ guest: 'Validation rule not met' })
  const password = given.passwordHash == null ? null : readImportedPassword(given.passwordHash, rules.hashMemoryMiB)
  if (password !== null && 'problem' in password) return invalid({ passwordHash: password.problem })
  const user = toUser(given, password !== null, now)
  const profile = checkProfile(given.profile ?? null, user, rules)
  if ('problem' in profile) return profile
  return {
    row: {
      user,
      namesId: given.id !== undefined,
      passwordHash: password?.stored ?? null,
      identities: toIdentities(given, user, now),
      profile: profile.stored,
    },
  }
}

function toUser(given: Row, hasPassword: boolean, now: number): User {
  const createdAt = given.createdAt === undefined ? now : Date.parse(given.createdAt)
  const verifiedAt = Math.min(createdAt, now)
  return newUser(given.id ?? ulid(now), now, {
    email: given.email ?? null,
    emailVerifiedAt: given.email && given.emailVerified ? verifiedAt : null,
    phone: given.phone ?? null,
    phoneVerifiedAt: given.phone && given.phoneVerified ? verifiedAt : null,
    hasPassword,
    guest: given.guest ?? false,
    restrictions: readRestrictions(given.restrictions ?? []),
    suspension: given.suspension ? readSuspension(given.suspension) : null,
    createdAt,
    lastActiveAt: given.lastActiveAt === undefined ? now : Date.parse(given.lastActiveAt),
  })
}

/** Without duplicates: the last one counts, as with duplicate keys in JSON. */
const toIdentities = ({ identities = [] }: Row, user: User, now: number): Identity[] =>
  [...new Map(identities.map((one) => [`${one.provider} ${one.subject}`, one])).values()].map(
    ({ provider, subject, email }) => ({
      id: ulid(now),
      userId: user.id,
      provider,
      subject,
      email: email ?? null,
      createdAt: user.createdAt,
      lastUsedAt: user.lastActiveAt,
    }),
  )

type CheckedProfile = { readonly stored: StoredProfile | null } | { readonly problem: Problem }

function checkProfile(
  profile: Readonly<Record<string, unknown>> | null,
  user: User,
  { snapshot, now, profileBytes }: RowContext,
): CheckedProfile {
  if (profile === null) return { stored: null }
  const by = { now, operator: true, current: null, storedBefore: true }
  const checked = compiledSchemaOf(snapshot).validate(profile, by)
  if ('validation' in checked) return invalidProfileOf(checked)
  const { values } = checked
  const content = profileContent(values, profileBytes)
  if (content === null) return { problem: { code: 'PAYLOAD_TOO_LARGE', message: errors.PAYLOAD_TOO_LARGE.message } }
  const { version } = snapshot.profileSchema.schema
  const moments = { createdAt: user.createdAt, updatedAt: now }
  return { stored: { id: ulid(now), userId: user.id, schemaVersion: version, values, content, ...moments } }
}
