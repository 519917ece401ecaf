import type { z } from 'zod'
import type { ExportedUser, exportUsers as operation } from '../../../contract/admin/user-lines.ts'
import { timestamp } from '../../../contract/envelope.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { Identity } from '../../accounts/identity.ts'
import { presentRestriction, presentSuspension } from '../../accounts/restriction.ts'
import type { UserCredential } from '../../accounts/user.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { recordEnd } from '../../events/record-end.ts'
import { aTenant } from '../../events/subjects.ts'
import { exportOfValues } from '../../profiles/exported-values.ts'
import { migrated } from '../../profiles/read-profile.ts'
import { compiledSchemaOf } from '../../profiles/schema/compiled-profile-schemas.ts'
import type { Services } from '../../services.ts'
import type { TenantStorage } from '../../storage/storage.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** Few, because their profiles are in memory together: up to 256 KiB each by default. */
const pageSize = 50

/** What an export includes only when asked. */
interface Included {
  readonly passwordHashes: boolean
  readonly sensitive: boolean
}

type MovedIdentity = ExportedUser['identities'][number]

/** `GET /admin/tenants/{t}/users/export`: page by page, as fast as the client reads. */
export const exportUsers: Handler<typeof operation> = async ({ params: { tenantId }, query }, call, services) => {
  const { storage, snapshots } = services
  const { tenant, stores } = await getManagedTenant(storage, tenantId, call.refuse)
  const includes = { passwordHashes: query.passwordHashes === 'true', sensitive: query.sensitive === 'true' }
  const note: Note = (type, details, now) =>
    stores.write((tx) => record(tx, { ...call, now }, { type, subject: aTenant(tenantId), details }))
  return recorded(allUsers(stores, await snapshots.of(tenant), includes), includes, note, services)
}

type Lines = AsyncGenerator<z.infer<typeof operation.output>>
type Note = (
  type: 'users.export_started' | 'users.exported',
  details: Readonly<Record<string, unknown>>,
  now: number,
) => Promise<void>

/**
 * Records the export before its first line leaves, so that no reader of it goes unrecorded, and again with the count when
 * it ends: after the last line, a failure, or when the client has gone.
 */
async function* recorded(
  lines: Lines,
  { passwordHashes, sensitive }: Included,
  note: Note,
  services: Pick<Services, 'clock' | 'logger'>,
): Lines {
  const what = { hashes: passwordHashes, sensitive }
  await note('users.export_started', what, services.clock.now())
  let users = 0
  let complete = false
  try {
    for await (const line of lines) {
      if ('id' in line) users++
      else complete = true
      yield line
    }
  } finally {
    await recordEnd((now) => note('users.exported', { ...what, users, complete }, now), services)
  }
}

async function* allUsers(stores: TenantStorage, snapshot: TenantSnapshot, includes: Included): Lines {
  const valuesOf = exportOfValues(compiledSchemaOf(snapshot), stores.tenant, includes.sensitive)
  let exported = 0
  let cursor: string | null = null
  for (;;) {
    const page: UserCredential[] = await stores.users.listCredentials({ limit: pageSize, cursor })
    const [first, last] = [page[0], page.at(-1)]
    if (first === undefined || last === undefined) break
    const range = [first.user.id, last.user.id] as const
    const [identities, profiles] = await Promise.all([
      stores.identities.listBetween(...range),
      stores.profiles.listBetween(...range),
    ])
    const identitiesOf = Map.groupBy(identities, ({ userId }) => userId)
    const profileOf = new Map(profiles.map((profile) => [profile.userId, profile]))
    for (const credential of page) {
      const { id } = credential.user
      const stored = profileOf.get(id) ?? null
      const profile = stored && (await valuesOf((await migrated(stored, snapshot, stores)).values))
      yield present(credential, identitiesOf.get(id) ?? [], profile, includes.passwordHashes)
      exported++
    }
    if (page.length < pageSize) break
    cursor = last.user.id
  }
  yield { done: { exported } }
}

/** Sorted, so that exports of the same data are equal on every database. */
const byAccount = (a: MovedIdentity, b: MovedIdentity): number =>
  `${a.provider} ${a.subject}` < `${b.provider} ${b.subject}` ? -1 : 1

const present = (
  { user, passwordHash }: UserCredential,
  identities: readonly Identity[],
  profile: ProfileValues | null,
  withHashes: boolean,
): ExportedUser => ({
  id: user.id,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== null,
  phone: user.phone,
  phoneVerified: user.phoneVerifiedAt !== null,
  guest: user.guest,
  ...(withHashes && { passwordHash }),
  identities: identities.map(({ provider, subject, email }) => ({ provider, subject, email })).sort(byAccount),
  profile,
  restrictions: user.restrictions.map(presentRestriction),
  suspension: user.suspension && presentSuspension(user.suspension),
  createdAt: timestamp(user.createdAt),
  lastActiveAt: timestamp(user.lastActiveAt),
})
