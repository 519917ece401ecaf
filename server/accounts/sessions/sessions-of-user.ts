import type * as operations from '../../../contract/accounts/account.ts'
import type { Handler } from '../../core/handler.ts'
import { endOneSession } from './end-sessions.ts'
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
  const { refuse, storage, user } = call
  await storage.write(async (tx) => {
    const isEnded = await endOneSession(tx, user.id, sessionId, call, counts, { reason: 'signed_out' })
    if (!isEnded) throw refuse('SESSION_NOT_FOUND')
  })
  return undefined
}
