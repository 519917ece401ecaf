import type { signOut as operation } from '../../../contract/accounts/sign-in.ts'
import type { Handler } from '../../core/handler.ts'
import { recordEndedSessions } from '../account-events.ts'
import { lockCaller } from '../addresses/address-owner.ts'
import { endAttempts, endYoungerUndoCodes, isByLaterWay } from '../end-attempts.ts'
import { isFresh } from '../sign-in/require-fresh.ts'
import { endOneSession, endSessionsOf } from './end-sessions.ts'

/** `POST /auth/sign-out` (SESSION-6): ends this session, all others, or all of them, at once in every process. */
export const signOut: Handler<typeof operation> = async ({ body: { scope } }, call, { counts }) => {
  const { storage, user, session } = call
  await storage.write(async (tx) => {
    // Locks the user before the sessions, in the same order as every change of a user.
    const locked = scope === 'this' ? null : await lockCaller(tx, call)
    const ended =
      locked !== null
        ? await endSessionsOf(tx, user.id, call, counts, scope === 'others' ? session.id : undefined)
        : (await endOneSession(tx, user.id, session.id, call, counts))
          ? [session.id]
          : []
    if (locked !== null) {
      // A thief must not refuse the owner's codes again and again: neither with a stolen token, which must be fresh where no
      // other session ends, nor after a sign-in with what the thief has added.
      const endsCodes = (ended.length > 0 || isFresh(call)) && !(await isByLaterWay(tx, locked, call))
      await (endsCodes ? endAttempts : endYoungerUndoCodes)(tx, locked, call.snapshot, call.now)
    }
    await recordEndedSessions(tx, call, { userId: user.id, sessions: ended, reason: 'signed_out' })
  })
  return { success: true }
}
