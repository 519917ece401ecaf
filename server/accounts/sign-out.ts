import type { signOut as operation } from '../../contract/sign-in.ts'
import type { Handler } from '../core/handler.ts'

/** `POST /auth/sign-out` (SESSION-6): ends this session, all others, or all of them, at once in every process. */
export const signOut: Handler<typeof operation> = async ({ body: { scope } }, { now, storage, user, session }) => {
  if (scope === 'this') await storage.sessions.revoke(user.id, session.id, now)
  else await storage.sessions.revokeAllOf(user.id, now, scope === 'others' ? session.id : undefined)
  return { success: true }
}
