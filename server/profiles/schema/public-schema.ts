import { isOperatorNote } from '../../../contract/fields/field-component.ts'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'

/** What clients may see of a schema: no migrations, and none of the operator's own notes. */
export const publicSchema = ({ version, components, presentation, forms }: ProfileSchema): ProfileSchema => ({
  version,
  components: components.some(isOperatorNote) ? components.filter((one) => !isOperatorNote(one)) : components,
  presentation,
  forms,
})
