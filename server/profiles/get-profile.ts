import type { getProfile as operation } from '../../contract/accounts/profile.ts'
import type { Handler } from '../core/handler.ts'
import { readProfile } from './read-profile.ts'

/** `GET /account/profile` (PROFILE-14). */
export const getProfile: Handler<typeof operation> = (_input, { snapshot, storage, user, refuse }) => {
  if (!snapshot.configuration.exists) throw refuse('UNEXPECTED_STATE')
  return readProfile(user.id, snapshot, storage)
}
