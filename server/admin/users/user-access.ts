import type * as operations from '../../../contract/admin/user-access.ts'
import { isGranted } from '../../../contract/scopes.ts'
import { endAttempts } from '../../accounts/end-attempts.ts'
import { presentIdentities } from '../../accounts/identity.ts'
import { notifyUser } from '../../accounts/notify-user.ts'
import { takeIdentity } from '../../accounts/take-identity.ts'
import type { User } from '../../accounts/user.ts'
import type { Call } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { aUser, otpReference } from '../../events/subjects.ts'
import { withNewCode } from '../../otp/code-budgets.ts'
import { messageLocale } from '../../otp/message-locale.ts'
import { type NewOtpFor, newOtp } from '../../otp/new-otp.ts'
import { sendMessage } from '../../otp/send-message.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/users/{u}/identities`. */
export const listUserIdentities: Handler<typeof operations.listUserIdentities> = async (
  { params: { tenantId, userId } },
  { refuse },
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const user = await stores.users.find(userId)
  if (user === null) throw refuse('USER_NOT_FOUND')
  return {
    identities: presentIdentities(user, user.providers.length === 0 ? [] : await stores.identities.listOf(userId)),
  }
}

/**
 * `DELETE /admin/tenants/{t}/users/{u}/identities/{i}`: like the user's own removal. The notice to a removed address has no code
 * that restores it: another person may have added the address. What that person left behind to get in again ends.
 */
export const removeUserIdentity: Handler<typeof operations.removeUserIdentity> = async (
  { params: { tenantId, userId, identityId } },
  call,
  services,
) => {
  const { now, refuse } = call
  const { tenant, stores } = await getManagedTenant(services.storage, tenantId, refuse)
  const snapshot = await services.snapshots.of(tenant)
  const context = { now, snapshot, storage: stores, acceptLanguage: undefined }
  await stores.write(async (tx) => {
    const user = await tx.users.lock(userId)
    if (user === null) throw refuse('USER_NOT_FOUND')
    const taken = await takeIdentity(tx, user, identityId, snapshot, now)
    if (typeof taken === 'string') throw refuse(taken)
    await endAttempts(tx, taken.left, snapshot, services.clock)
    for (const fact of taken.facts) await record(tx, call, fact)
    await notifyUser(tx, user, taken.notice, context, services)
  })
  return undefined
}

/**
 * `POST /admin/tenants/{t}/users/{u}/reset-password`: unlike a challenge by a client, only to a verified address, because
 * the operator means this user.
 */
export const sendPasswordReset: Handler<typeof operations.sendPasswordReset> = async (
  { params: { tenantId, userId } },
  call,
  { storage, snapshots, budgets, delivery, keyring, counts },
) => {
  const { now, refuse, address } = call
  const { tenant, stores } = await getManagedTenant(storage, tenantId, refuse)
  const snapshot = await snapshots.of(tenant)
  const policy = requireResets(snapshot, call)

  async function send(): Promise<{ otpId: string | null }> {
    const user = await stores.users.find(userId)
    if (user === null) throw refuse('USER_NOT_FOUND')
    const recipient = requireResettable(user, call)
    if (!delivery.canDeliver('email', recipient, snapshot)) throw refuse('OTP_METHOD_NOT_AVAILABLE')
    const to = { scope: 'reset_password', deliveryMethod: 'email', recipient } as const
    const context = { now, address, tenantId, storage: stores }
    return withNewCode(to, context, budgets, () => issue(to)).catch((error: unknown) => {
      if (error instanceof AddressChanged) return send()
      throw error
    })
  }

  async function issue(to: Pick<NewOtpFor, 'scope' | 'deliveryMethod' | 'recipient'>) {
    const context = { now, snapshot, storage: stores, acceptLanguage: undefined }
    const locale = await messageLocale(userId, context)
    const otp = newOtp({ ...to, tenantId, userId, decoy: false, locale }, policy, keyring, now)
    const message = delivery.newMessage(tenantId, now)
    // The id is the token that a verified code is used with, as in messages.
    const answer = { otpId: isGranted(call.operator.scopes, 'codes:read') ? otp.id : null }
    await stores.write(async (tx) => {
      const locked = await tx.users.lock(userId)
      if (locked === null) throw refuse('USER_NOT_FOUND')
      // A code must not reach an address that the account has just lost.
      if (requireResettable(locked, call) !== to.recipient) throw new AddressChanged()
      await tx.otps.issue(otp, message)
      const details = { otp: otpReference(otp.id) }
      await record(tx, call, { type: 'password_reset.requested', subject: aUser(userId), details })
    })
    counts.add(tenantId, 'codes')
    sendMessage(delivery, message, tenantId, otp)
    return answer
  }

  return send()
}

/** Of a user, between reading it and locking the user: no retry of the transaction would find the address again. */
class AddressChanged extends Error {}

type ResetCall = Call<typeof operations.sendPasswordReset>

/** The policy of codes, where users of the tenant can reset passwords. */
function requireResets({ tenant, configuration }: TenantSnapshot, { refuse }: ResetCall) {
  const isRestricted = tenant.restrictedCapabilities.includes('reset_password')
  const hasPasswords = configuration.auth?.methods.includes('password') === true
  if (isRestricted || !hasPasswords || configuration.otp === null) throw refuse('RESTRICTED_CAPABILITY')
  return configuration.otp
}

/** The verified address of a user with a password. */
function requireResettable({ hasPassword, email, emailVerifiedAt }: User, { refuse }: ResetCall): string {
  if (!hasPassword || email === null || emailVerifiedAt === null) throw refuse('PASSWORD_NOT_RESETTABLE')
  return email
}
