import { updateProfile as operation } from '../../contract/profile.ts'
import type { Handler } from '../core/handler.ts'
import { invalid, refusalsOf, ServiceError } from '../core/service-error.ts'
import { compiledSchemaOf } from './compiled-profile-schemas.ts'
import { presentProfile } from './read-profile.ts'
import { saveProfile } from './save-profile.ts'

const refuse = refusalsOf(operation)

/** `PATCH /account/profile` (contract 4.4). */
export const updateProfile: Handler<typeof operation> = async (
  { body },
  { now, snapshot, storage, user },
  { profileBytes },
) => {
  const schema = compiledSchemaOf(snapshot)
  if (!snapshot.configuration.exists) {
    // The body's refusals come before the state's (design 2).
    const judged = schema.validate(body, { now, operator: false, current: null })
    throw 'validation' in judged ? invalid(judged.validation) : refuse('UNEXPECTED_STATE')
  }
  const profile = await saveProfile(storage, user.id, body, snapshot, {
    now,
    operator: false,
    maxBytes: profileBytes,
  })
  if (profile === null) throw new ServiceError('TOKEN_USER_NOT_FOUND')
  return presentProfile(profile, schema)
}
