import type { createUser as operation } from '../../../contract/admin/users.ts'
import { registered } from '../../accounts/addresses/address.ts'
import { newUser, presentManagedUser } from '../../accounts/user.ts'
import type { PublicCall } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { keepAnswer } from '../../core/idempotency.ts'
import { ulid } from '../../core/ids.ts'
import { record } from '../../events/record.ts'
import { requireAllowedPassword } from '../../passwords/require-allowed-password.ts'
import { addNewProfile } from '../../profiles/add-new-profile.ts'
import { invalidProfile } from '../../profiles/invalid-profile.ts'
import { requireProfileContent } from '../../profiles/profile-content.ts'
import type { StoredProfile } from '../../profiles/profile-store.ts'
import { compiledSchemaOf } from '../../profiles/schema/compiled-profile-schemas.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { userCreated } from './user-facts.ts'

/**
 * `POST /admin/tenants/{t}/users`: user, password and profile in one transaction. An address is unverified unless the
 * operator vouches for it.
 */
export const createUser: Handler<typeof operation> = async (
  { params, body },
  call,
  { storage, snapshots, hasher, profileBytes, counts },
) => {
  const { now, refuse } = call
  const { email, phone, password, profile } = body
  if (email === undefined && phone === undefined)
    throw refuse('VALIDATION_ERROR', { validation: { email: 'Required' } })
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const snapshot = await snapshots.of(tenant)
  if (password !== undefined) requireAllowedPassword(password, email ?? null, { snapshot, refuse })
  const checked = profile === undefined ? null : checkProfile(profile, snapshot, call, profileBytes)
  // Hashed before the transaction, which must not wait for anything but its own statements.
  const passwordHash = password === undefined ? null : await hasher.hash(password, { tenantId: tenant.id })
  const user = newUser(ulid(now), now, {
    email: email ?? null,
    emailVerifiedAt: email !== undefined && body.emailVerified ? now : null,
    phone: phone ?? null,
    phoneVerifiedAt: phone !== undefined && body.phoneVerified ? now : null,
    hasPassword: passwordHash !== null,
  })

  const answer = presentManagedUser(user, now)
  await stores.write(async (tx) => {
    await keepAnswer(tx, call, answer, user.id)
    const holder = await tx.users.add(user, passwordHash)
    if (holder !== null) throw refuse(registered[holder])
    await record(tx, call, userCreated(user))
    tx.onCommit(() => counts.add(tenant.id, 'users'))
    if (checked !== null) await addNewProfile(tx, user.id, checked, snapshot, call)
  })
  return answer
}

/** Checked as the operator's: it may contain fields that clients cannot write. */
function checkProfile(
  profile: Readonly<Record<string, unknown>>,
  snapshot: TenantSnapshot,
  { now, refuse }: PublicCall<'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE'>,
  maxBytes: number,
): Pick<StoredProfile, 'values' | 'content'> {
  const checked = compiledSchemaOf(snapshot).validate(profile, { now, operator: true, current: null })
  if ('validation' in checked) throw refuse('VALIDATION_ERROR', invalidProfile(checked))
  return { values: checked.values, content: requireProfileContent(refuse, checked.values, maxBytes) }
}
