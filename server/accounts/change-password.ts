import type { changePassword as operation } from '../../contract/accounts/account.ts'
import type { Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import { passwordChanged } from './account-events.ts'
import { replaceSessions } from './addresses/address-codes.ts'
import { lockCaller, readBack } from './addresses/address-owner.ts'
import { withChangeBudget } from './addresses/change-budget.ts'
import { endAttempts } from './end-attempts.ts'
import { notifyUser } from './notify-user.ts'
import { endSessionsOf } from './sessions/end-sessions.ts'
import { presentSession } from './sessions/start-session.ts'
import { recordingRefusedStepUp } from './sign-in/refused-sign-in.ts'
import { requireAuthMethod } from './sign-in/require-auth-method.ts'
import { canSignIn, requireFresh } from './sign-in/require-fresh.ts'
import { verifyOwnPassword, withStoredHash } from './sign-in/verified-password.ts'

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
  const { configuration } = call.snapshot
  if (user.email === null) throw call.refuse('EMAIL_NOT_SET')
  const verify = (current: string) =>
    recordingRefusedStepUp('password', 'changePassword', call, services.refusedAttempts, () =>
      verifyOwnPassword(current, call, services),
    )
  const { verified, passwordHash } = await withChangeBudget(call, services.budgets, async () => ({
    verified: currentPassword === undefined ? null : await verify(currentPassword),
    passwordHash: await services.hasher.hash(password, call),
  }))
  const change = (verifiedHash: string | null) =>
    storage.write(async (tx) => {
      const before = await lockCaller(tx, call)
      if (before.email === null) throw call.refuse('EMAIL_NOT_SET')
      if (!(await tx.users.setPassword(user.id, verifiedHash, passwordHash, now))) return null
      // Together: on PostgreSQL each would be a round trip.
      await Promise.all([
        endSessionsOf(tx, user.id, call, services.counts, { reason: 'password_changed', but: session.id }),
        tx.otps.cancelLive(user.id, now),
        endAttempts(tx, before, call.snapshot, services.clock),
      ])
      await record(tx, call, passwordChanged(user.id))
      await notifyUser(tx, before, before.hasPassword ? 'password_changed' : 'password_added', call, services)
      const isFirst = !canSignIn(before, configuration) && canSignIn({ ...before, hasPassword: true }, configuration)
      return {
        opened: isFirst ? await replaceSessions(tx, await readBack(tx, user.id), ['pwd'], call, services) : null,
      }
    })
  const changed = verified === null ? await change(null) : await withStoredHash(verified, call, services.hasher, change)
  if (changed === null) throw call.refuse('INVALID_CREDENTIALS')
  const { opened } = changed
  return { success: true, ...(opened !== null && { session: presentSession(opened, call, services) }) }
}
