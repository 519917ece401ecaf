import type { SessionAnswer } from '../generated/types.ts'
import type { OutputOf } from '../methods.ts'
import type { CurrentSession } from './current-session.ts'

/**
 * Starts, changes or ends the session by the answer to a call. Compares names, because profiles can have any field.
 * @param userId who was signed in when the call began
 */
export async function acceptAnswer(
  session: CurrentSession,
  name: string,
  answer: unknown,
  userId: string | undefined,
): Promise<void> {
  switch (name) {
    case 'signIn':
    case 'signUp':
    case 'refreshSession':
      return session.start(answer as SessionAnswer)
    case 'stepUp':
      return session.change(userId, { ...(answer as OutputOf<'stepUp'>), receivedAt: Date.now() })
    case 'deleteAccount':
      return session.value?.user.id === userId ? session.end('signedOut') : undefined
    case 'verifyOtp':
    case 'changePassword':
    case 'addIdentity':
    case 'getAccount': {
      const {
        session: started,
        identities,
        nextForm,
        ...user
      } = answer as OutputOf<'addIdentity' | 'getAccount'> &
        Pick<SessionAnswer, 'nextForm'> & { session?: SessionAnswer }
      // The user has signed out, or another one has signed in.
      if (session.value?.user.id !== userId) return
      if (started) return session.start(started)
      // The lock is not worth taking for a user who did not change.
      const known = session.value
      const next = name === 'getAccount' ? nextForm : known?.nextForm
      const isChanged = JSON.stringify([user, next]) !== JSON.stringify([known?.user, known?.nextForm])
      if (identities && isChanged) return session.change(userId, { user, nextForm: next })
    }
  }
}
