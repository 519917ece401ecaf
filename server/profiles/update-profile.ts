import type { updateProfile as operation } from '../../contract/accounts/profile.ts'
import type { ProfileSchema } from '../../contract/profile-schema.ts'
import type { Handler } from '../core/handler.ts'
import type { Stores } from '../storage/storage.ts'
import { presentRevision } from './read-profile.ts'
import { judgeUpdate, saveProfile } from './save-profile.ts'
import { findSavedStep } from './saved-step.ts'

/** `PATCH /account/profile` (PROFILE-1 to PROFILE-13, FORM-6, FORM-7). */
export const updateProfile: Handler<typeof operation> = async (
  { body, query, expectedRevision },
  call,
  { profileBytes },
) => {
  const { now, refuse, snapshot, storage, user } = call
  async function requireSession({ sessions }: Stores): Promise<void> {
    const session = await sessions.find(call.session.id)
    if (session === null || session.revokedAt !== null) throw refuse('INVALID_USER_TOKEN')
  }
  const findStep = (schema: ProfileSchema) => findSavedStep(query, schema, refuse)
  // An unknown step is refused before the profile is read.
  findStep(snapshot.profileSchema.schema)
  const writer = { now, source: call, refuse, operator: false, expectedRevision, findStep, maxBytes: profileBytes }
  if (!snapshot.configuration.exists) {
    // An invalid body is refused before the missing configuration.
    const judged = judgeUpdate(body, null, snapshot, writer)
    if ('validation' in judged) throw refuse('VALIDATION_ERROR', judged)
    throw refuse('UNEXPECTED_STATE')
  }
  // Without a proven way in, a first proof hands the account over (SIGNIN-10).
  const isOnlyClaimed = user.emailVerifiedAt === null && user.phoneVerifiedAt === null && user.providers.length === 0
  const guarded = { ...writer, isOnlyClaimed, requireSession }
  const saved = await saveProfile(storage, user.id, body, snapshot, guarded)
  if (saved === null) throw refuse('TOKEN_USER_NOT_FOUND')
  return presentRevision(saved.profile, saved.schema)
}
