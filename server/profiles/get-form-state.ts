import type { getFormState as operation } from '../../contract/accounts/profile-forms.ts'
import { ownValue } from '../../contract/fields/profile-values.ts'
import type { Handler } from '../core/handler.ts'
import { readFormState } from './form-state.ts'

/** `GET /account/profile/forms/{form}` (FORM-2, FORM-3). */
export const getFormState: Handler<typeof operation> = async ({ params }, { now, refuse, snapshot, storage, user }) => {
  if (!snapshot.configuration.exists) throw refuse('UNEXPECTED_STATE')
  const form = ownValue(snapshot.profileSchema.schema.forms, params.form)
  if (form === undefined) throw refuse('FORM_NOT_FOUND')
  return { form: params.form, ...(await readFormState(form, user, snapshot, storage, now)) }
}
