import type { changePassword as operation } from '../../contract/account.ts'
import type { Call, Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import type { Services } from '../services.ts'
import { passwordChanged, recordEndedSessions } from './account-events.ts'
import { replaceSessions } from './address-codes.ts'
import { lockCaller, readBack } from './address-owner.ts'
import { withChangeBudget } from './change-budget.ts'
import { endAttempts } from './end-attempts.ts'
import { endSessionsOf } from './end-sessions.ts'
import { withFailureBudgets } from './failed-passwords.ts'
import { notifyUser } from './notify-user.ts'
import { recordingRefusedStepUp } from './refused-sign-in.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { canSignIn, requireFresh } from './require-fresh.ts'
import { verifyPassword } from './sign-in-by-password.ts'
import { presentSession } from './start-session.ts'

/**
 * `POST /account/password` (ACCOUNT-1): one transaction stores the password, ends all other sessions, cancels pending
 * resets and address changes (an attacker may have requested them in this session) and younger undo codes, and queues the
 * notices. The calling session stays, unless the password is the first way to sign in: an attacker may have planted it.
 */
export const changePassword: Handler<typeof operation> = async (
  { body: { currentPassword, password } },
  call,
  services,
) => {
  const { now, storage, user, session } = call
  if (currentPassword === undefined) requireFresh(call)
  requireAllowedPassword(password, user.email, call)
  requireAuthMethod('password', call)
  const { email } = user
  const { configuration } = call.snapshot
  if (email === null) throw call.refuse('EMAIL_NOT_SET')
  const verify = (current: string) =>
    recordingRefusedStepUp('password', 'changePassword', call, services.refusedAttempts, () =>
      requirePassword(current, email, call, services),
    )
  const { verifiedHash, passwordHash } = await withChangeBudget(call, services.budgets, async () => ({
    verifiedHash: currentPassword === undefined ? null : await verify(currentPassword),
    passwordHash: await services.hasher.hash(password, call),
  }))
  const opened = await storage.write(async (tx) => {
    const before = await lockCaller(tx, call)
    if (before.email === null) throw call.refuse('EMAIL_NOT_SET')
    if (!(await tx.users.setPassword(user.id, verifiedHash, passwordHash, now)))
      throw call.refuse('INVALID_CREDENTIALS')
    const ended = await endSessionsOf(tx, user.id, call, services.counts, session.id)
    await tx.otps.cancelLive(user.id, now)
    await endAttempts(tx, before, call.snapshot, now)
    await record(tx, call, passwordChanged(user.id))
    await recordEndedSessions(tx, call, { userId: user.id, sessions: ended, reason: 'password_changed' })
    await notifyUser(tx, before, before.hasPassword ? 'password_changed' : 'password_added', call, services)
    const isFirst = !canSignIn(before, configuration) && canSignIn({ ...before, hasPassword: true }, configuration)
    return isFirst ? replaceSessions(tx, await readBack(tx, user.id), ['pwd'], call, services) : null
  })
  return { success: true, ...(opened !== null && { session: presentSession(opened, call, services) }) }
}

/** The stored hash that matches the current password. */
async function requirePassword(
  currentPassword: string,
  email: string,
  call: Call<typeof operation>,
  { hasher, budgets }: Services,
): Promise<string> {
  const { storage, user } = call
  // By id, because the address may be changing at this moment.
  const found = await storage.users.findCredential(user.id)
  const account = { name: email, userId: user.id }
  const verifiedHash = await withFailureBudgets(account, call, budgets, () =>
    verifyPassword(found, currentPassword, call, hasher),
  )
  if (verifiedHash === null) throw call.refuse('INVALID_CREDENTIALS')
  return verifiedHash
}
