import type { signOut as operation } from '../../../contract/accounts/sign-in.ts'
import type { UserCall } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import type { Tx } from '../../storage/storage.ts'
import { lockCaller } from '../addresses/address-owner.ts'
import { endAttempts, endYoungerUndoCodes, laterWaysOf } from '../end-attempts.ts'
import { isFresh } from '../sign-in/require-fresh.ts'
import type { User } from '../user.ts'
import { endOneSession, endSessionsOf } from './end-sessions.ts'

/** `POST /auth/sign-out` (SESSION-6): ends this session, all others, or all of them, at once in every process. */
export const signOut: Handler<typeof operation> = async ({ body: { scope } }, call, { counts, clock }) => {
  const { storage, user, session } = call
  const reason = 'signed_out'
  await storage.write(async (tx) => {
    if (scope === 'this') {
      await endOneSession(tx, user.id, session.id, call, counts, { reason })
      return
    }
    // Locks the user before the sessions, in the same order as every change of a user.
    const locked = await lockCaller(tx, call)
    const but = scope === 'others' ? session.id : undefined
    const ended = await endSessionsOf(tx, user.id, call, counts, { reason, but })
    const end = (await endsCodes(tx, locked, ended, call)) ? endAttempts : endYoungerUndoCodes
    await end(tx, locked, call.snapshot, clock)
  })
  return { success: true }
}

/**
 * Whether the codes to sign in that were requested before end: a thief must not refuse them to the owner again and again.
 * A sign-in with what the thief has added ends none, and neither does a stolen session that ends only such sign-ins. A
 * step-up, which may be by what the thief has added, does not make that session fresh.
 */
async function endsCodes(tx: Tx, user: User, ended: readonly string[], call: UserCall): Promise<boolean> {
  const { session, authentication, snapshot } = call
  const isByLaterWay = await laterWaysOf(tx, user, snapshot)
  if (isByLaterWay(authentication.amr)) return false
  if (isFresh(session.createdAt, call)) return true
  const sessions = ended.length === 0 ? [] : await tx.sessions.listAllOf(user.id)
  const endedIds = new Set(ended)
  return sessions.some(({ id, amr }) => endedIds.has(id) && !isByLaterWay(amr))
}
