import type { InvalidFields } from '../../contract/fields/compile-fields.ts'

/** The refusal of a profile that is one member of a body: its fields are named `profile.<field>`. */
export const invalidProfile = ({ validation, details }: InvalidFields): InvalidFields => ({
  validation: prefixed(validation),
  details: prefixed(details),
})

const prefixed = <T>(fields: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [`profile.${field}`, value]))
