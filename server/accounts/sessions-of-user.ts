import type * as operations from '../../contract/account.ts'
import type { Handler } from '../core/handler.ts'
import { recordEndedSessions } from './account-events.ts'
import { presentSessionDevice } from './session.ts'

/** `GET /account/sessions`. */
export const listSessions: Handler<typeof operations.listSessions> = async (
  _input,
  { now, storage, user, session: current },
) => {
  const sessions = await storage.sessions.listOf(user.id, now)
  return {
    sessions: sessions.map((session) => ({ ...presentSessionDevice(session), current: session.id === current.id })),
  }
}

/** `DELETE /account/sessions/{id}`; the current session too. */
export const endSession: Handler<typeof operations.endSession> = async (
  { params: { sessionId } },
  call,
  { counts },
) => {
  const { now, refuse, storage, user } = call
  await storage.write(async (tx) => {
    if (!(await tx.sessions.revoke(user.id, sessionId, now))) throw refuse('SESSION_NOT_FOUND')
    await recordEndedSessions(tx, call, { userId: user.id, sessions: [sessionId], reason: 'signed_out' })
    tx.onCommit(() => counts.add(call.tenantId, 'openSessions', -1))
  })
  return undefined
}
