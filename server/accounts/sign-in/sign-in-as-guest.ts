import type { TenantCall } from '../../core/call.ts'
import type { Services } from '../../services.ts'
import { type OpenSession, openSession } from '../sessions/start-session.ts'
import { addNewUser } from './new-account.ts'

/** Signs in as a guest: a new user each time, with nothing but a session. */
export const signInAsGuest = (call: TenantCall<'RESTRICTED_CAPABILITY'>, services: Services): Promise<OpenSession> =>
  call.storage.write(async (tx) => {
    const user = await addNewUser(tx, { guest: true }, call)
    return openSession(tx, { user, amr: [], isNewUser: true }, call, services)
  })
