import type { checkProfile as operation } from '../../contract/accounts/profile.ts'
import type { Handler } from '../core/handler.ts'
import { checkFields } from './check-fields.ts'
import { migrated } from './read-profile.ts'

/** `POST /account/profile/check` (PROFILE-17). */
export const checkProfile: Handler<typeof operation> = async ({ body }, { now, refuse, snapshot, storage, user }) => {
  if (!snapshot.configuration.exists) throw refuse('UNEXPECTED_STATE')
  const stored = await storage.profiles.find(user.id)
  const current = stored && (await migrated(stored, snapshot, storage))
  return { fields: await checkFields(body, current, { now }, snapshot, storage) }
}
