import type { signOut as operation } from '../../contract/sign-in.ts'
import type { Handler } from '../core/handler.ts'
import { recordEndedSessions } from './account-events.ts'
import { endAttempts } from './end-attempts.ts'
import { endOneSession, endSessionsOf } from './end-sessions.ts'

/** `POST /auth/sign-out` (SESSION-6): ends this session, all others, or all of them, at once in every process. */
export const signOut: Handler<typeof operation> = async ({ body: { scope } }, call, { counts }) => {
  const { storage, user, session } = call
  await storage.write(async (tx) => {
    const ended =
      scope !== 'this'
        ? await endSessionsOf(tx, user.id, call, counts, scope === 'others' ? session.id : undefined)
        : (await endOneSession(tx, user.id, session.id, call, counts))
          ? [session.id]
          : []
    if (scope !== 'this') await endAttempts(tx, user, call.snapshot, call.now)
    await recordEndedSessions(tx, call, { userId: user.id, sessions: ended, reason: 'signed_out' })
  })
  return { success: true }
}
