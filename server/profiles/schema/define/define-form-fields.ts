import { type ComponentsByName, defineFieldNames, defineShownFields, fieldPath } from './define-field-names.ts'
import type { SchemaProblems } from './schema-problems.ts'

/** Checks `fields` and `required` of a form or a step: the required ones are fields of it that clients can write. */
export function defineFormFields(
  input: Readonly<Record<string, unknown>>,
  path: string,
  components: ComponentsByName,
  problems: SchemaProblems,
): { fields: string[]; required?: string[] } {
  const fields = defineShownFields(input['fields'], `${path}.fields`, components, problems)
  if (input['required'] === undefined) return { fields }
  const required = defineFieldNames(input['required'], `${path}.required`, components, problems)
  for (const field of required) {
    const place = fieldPath(input['required'], `${path}.required`, field)
    if (!fields.includes(field)) {
      problems.add(place, `"${field}" is not one of the fields here; add it to fields or remove it from required`)
    } else if (components.get(field)?.writable === false) {
      problems.add(place, `"${field}" is not writable, so clients cannot set it; remove it from required`)
    }
  }
  return { fields, required }
}
