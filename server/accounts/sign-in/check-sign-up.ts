import type { checkSignUp as operation } from '../../../contract/accounts/sign-in.ts'
import type { Handler } from '../../core/handler.ts'
import { checkFields } from '../../profiles/check-fields.ts'
import { compiledSchemaOf } from '../../profiles/schema/compiled-profile-schemas.ts'

/** `POST /auth/sign-up/check` (SIGNIN-15). Under enumeration protection it does not disclose who has an address. */
export const checkSignUp: Handler<typeof operation> = async ({ body: { profile } }, { now, snapshot, storage }) => {
  const { components } = snapshot.profileSchema.schema
  const addresses = new Set(
    components.filter(({ type }) => type === 'email' || type === 'phone').map(({ name }) => name),
  )
  const isSecret = (field: string) => snapshot.configuration.security.enumerationProtection && addresses.has(field)
  const fields = await checkFields(profile, null, { now }, snapshot, storage, isSecret)
  // An update may clear a field that the form of sign-ups requires.
  const judged = compiledSchemaOf(snapshot).validateForm('signUp', profile, { now })
  for (const field of Object.keys('validation' in judged ? judged.validation : {})) {
    if (Object.hasOwn(fields, field) && !isSecret(field)) fields[field] = 'invalid'
  }
  return { fields }
}
