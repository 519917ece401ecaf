import type { signOut as operation } from '../../contract/sign-in.ts'
import type { Handler } from '../core/handler.ts'
import { recordEndedSessions } from './account-events.ts'

/** `POST /auth/sign-out` (SESSION-6): ends this session, all others, or all of them, at once in every process. */
export const signOut: Handler<typeof operation> = async ({ body: { scope } }, call, { counts }) => {
  const { now, storage, user, session } = call
  await storage.write(async (tx) => {
    const { sessions } = tx
    const isOne = scope === 'this'
    const ended = isOne
      ? (await sessions.revoke(user.id, session.id, now))
        ? [session.id]
        : []
      : await sessions.revokeAllOf(user.id, now, scope === 'others' ? session.id : undefined)
    await recordEndedSessions(tx, call, { userId: user.id, sessions: ended, reason: 'signed_out' })
    tx.onCommit(() => counts.add(call.tenantId, 'openSessions', -ended.length))
  })
  return { success: true }
}
