import type { getProfile as operation } from '../../contract/profile.ts'
import type { Handler } from '../core/handler.ts'
import { compiledSchemaOf } from './compiled-profile-schemas.ts'
import { migrated, presentProfile } from './read-profile.ts'

/** `GET /account/profile` (PROFILE-14). */
export const getProfile: Handler<typeof operation> = async (_input, { snapshot, storage, user, refuse }) => {
  if (!snapshot.configuration.exists) throw refuse('UNEXPECTED_STATE')
  const stored = await storage.profiles.find(user.id)
  if (stored === null) throw refuse('PROFILE_NOT_FOUND')
  return presentProfile(await migrated(stored, snapshot, storage), compiledSchemaOf(snapshot))
}
