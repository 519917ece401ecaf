import type { resetPassword as operation } from '../../contract/accounts/password-reset.ts'
import { addressVerified } from '../accounts/account-events.ts'
import { readBack } from '../accounts/addresses/address-owner.ts'
import { hasOtherProof, releaseAddress, removeOtherCredentials } from '../accounts/addresses/first-proof.ts'
import { endAttempts } from '../accounts/end-attempts.ts'
import { notifyUser } from '../accounts/notify-user.ts'
import { endSessionsOf } from '../accounts/sessions/end-sessions.ts'
import { addProvenUser } from '../accounts/sign-in/new-account.ts'
import type { User } from '../accounts/user.ts'
import type { Call, TenantCall } from '../core/call.ts'
import { ServiceError } from '../core/service-error.ts'
import { record } from '../events/record.ts'
import { asUser, aUser, otpReference } from '../events/subjects.ts'
import { networkOf } from '../limits/address.ts'
import type { Budgets } from '../limits/budgets.ts'
import { knownNetworkMs } from '../limits/known-networks.ts'
import { consumeRefusal } from '../otp/otp.ts'
import { clearFailures } from '../passwords/failure-budgets.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import type { Services } from '../services.ts'
import type { Tx } from '../storage/storage.ts'

type ResetCall = Call<typeof operation>

/**
 * Step `confirm` (RESET-9 to RESET-17). The password is hashed before the transaction, and only for a one-time password
 * that could be consumed, so that random tokens cost no hashing. If storing fails, the one-time password stays
 * verified.
 */
export async function confirmPasswordReset(
  { token, password }: { readonly token: string; readonly password: string },
  call: ResetCall,
  services: Services,
): Promise<{ success: true }> {
  const { now, storage } = call
  const otp = await storage.otps.find(token, 'reset_password')
  requireAllowedPassword(password, otp?.recipient ?? null, call)
  const refusal = consumeRefusal(otp, now)
  if (refusal !== null) throw call.refuse(refusal)
  try {
    const passwordHash = await services.hasher.hash(password, call)
    const reset = { token, userId: otp?.userId ?? null, passwordHash }
    await storage.write((tx) => consumeAndStore(tx, reset, call, services))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw call.refuse('OTP_CONSUME_CALLBACK_ERROR', {}, { cause: error })
  }
  if (otp?.userId) await clearLockout({ userId: otp.userId, email: otp.recipient }, call, services.budgets)
  return { success: true }
}

/**
 * Lets a locked-out user sign in with the new password at once, from this network and those known for the user. Other
 * networks keep their failures. If this fails, the reset still stands, and the lockout expires by itself.
 */
async function clearLockout(
  { userId, email }: { readonly userId: string; readonly email: string },
  { now, tenantId, storage, address }: TenantCall,
  budgets: Budgets,
): Promise<void> {
  try {
    const known = await storage.sessions.knownNetworks(userId, now - knownNetworkMs)
    await clearFailures({ tenantId, email }, new Set([networkOf(address), ...known]), budgets, now)
  } catch {}
}

interface Reset {
  readonly token: string
  /** The user of the one-time password; null for a decoy. */
  readonly userId: string | null
  readonly passwordHash: string
}

/**
 * Consumes the one-time password, stores the password, ends the sessions, cancels live one-time passwords and younger undo
 * codes, and queues the notices, in one transaction. It locks the row of the user first, as every change of a user does: a concurrent
 * sign-in waits, and two confirms cannot deadlock.
 */
async function consumeAndStore(
  tx: Tx,
  { token, userId, passwordHash }: Reset,
  call: ResetCall,
  services: Services,
): Promise<void> {
  const { now } = call
  const user = userId === null ? null : await tx.users.lock(userId)
  const { applied, otp } = await tx.otps.consume(token, 'reset_password', now, services.clock.now())
  if (!applied || otp === null) throw call.refuse(consumeRefusal(otp, now) ?? 'OTP_NOT_CONSUMABLE')
  if (otp.decoy) return
  const { recipient } = otp
  // The address may have changed after the challenge had read the user and before it was stored.
  if (user === null || user.email !== recipient) throw call.refuse('OTP_NOT_CONSUMABLE')
  const owner = await ownerAfterReset(tx, user, passwordHash, call, services)
  const actor = asUser(owner.id)
  // Together: on PostgreSQL each would be a round trip.
  await Promise.all([
    endSessionsOf(tx, owner.id, call, services.counts, { reason: 'password_reset', actor }),
    tx.otps.cancelLive(owner.id, now),
    endAttempts(tx, owner, call.snapshot, services.clock, 'email'),
  ])
  await record(tx, call, {
    type: 'password_reset.completed',
    subject: aUser(owner.id),
    actor,
    details: { otp: otpReference(otp.id) },
  })
  tx.onCommit(() => services.counts.add(call.tenantId, 'resets'))
  await notifyUser(tx, owner, 'password_changed', call, services)
}

/**
 * Stores the password for the person who proved the address. If the account had only claimed the address and has
 * another proof, that is someone else: they get a new account, and the old one loses the address.
 * @returns that person
 */
async function ownerAfterReset(
  tx: Tx,
  user: User,
  passwordHash: string,
  call: ResetCall,
  services: Services,
): Promise<User> {
  const email = user.email!
  const isFirstProof = user.emailVerifiedAt === null
  if (isFirstProof && user.hasPassword && (await hasOtherProof(tx, user, { email }, call.now))) {
    await releaseAddress(tx, user, { email }, call, services)
    const owner = await addProvenUser(tx, { email }, call, passwordHash)
    const by = { subject: aUser(owner.id), actor: asUser(owner.id) }
    await record(tx, call, { type: 'user.created', ...by, details: { method: 'password' } })
    tx.onCommit(() => {
      services.counts.add(call.tenantId, 'users')
      services.counts.add(call.tenantId, 'signUps')
    })
    return owner
  }
  if (!(await tx.users.resetPassword(user.id, passwordHash, call.now))) throw call.refuse('OTP_NOT_CONSUMABLE')
  if (isFirstProof) {
    await removeOtherCredentials(tx, user, { email }, 'password_reset', call, services)
    await record(tx, call, { ...addressVerified(user, { email }), actor: asUser(user.id) })
  }
  return readBack(tx, user.id)
}
