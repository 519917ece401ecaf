import type { checkSignUp as operation } from '../../../contract/accounts/sign-in.ts'
import type { Handler } from '../../core/handler.ts'
import { checkFields } from '../../profiles/check-fields.ts'

/** `POST /auth/sign-up/check` (SIGNIN-15). Under enumeration protection it does not disclose who has an address. */
export const checkSignUp: Handler<typeof operation> = async ({ body: { profile } }, { now, snapshot, storage }) => {
  const { components } = snapshot.profileSchema.schema
  const addresses = new Set(
    components.filter(({ type }) => type === 'email' || type === 'phone').map(({ name }) => name),
  )
  const isSecret = (field: string) => snapshot.configuration.security.enumerationProtection && addresses.has(field)
  return { fields: await checkFields(profile, null, { now }, snapshot, storage, isSecret) }
}
