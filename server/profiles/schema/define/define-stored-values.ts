import { compileField } from '../../../../contract/fields/compiled-field.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { JsonValue } from '../../../../contract/fields/json-value.ts'
import { isRecord, isSameValue } from '../../../../contract/fields/profile-values.ts'
import { type MigratedFields, parts, type StepCheck, target } from '../../migrations/migrated-fields.ts'
import { fieldEngines } from '../field-engines.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_MAPPED_VALUES = 500

/** The steps that write values of the schema, which must accept them. */
export const defineStoredValues = {
  default(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { field, value } = parts(input, path, ['field', 'value'], problems)
    if (field === undefined) return
    const component = target(field, `${path}.field`, fields, problems)
    if (component?.type === 'consent') {
      problems.add(`${path}.field`, `"${component.name}" is a consent, which only its user gives; remove the step`)
    } else if (component && !takes(component, value)) {
      problems.add(
        `${path}.value`,
        `"${component.name}" does not accept this value; use one that matches its type and rules`,
      )
    }
  },

  map(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { field, values } = parts(input, path, ['field', 'values'], problems)
    if (field === undefined) return
    const component = target(field, `${path}.field`, fields, problems)
    if (!isRecord(values) || Object.keys(values).length > MAX_MAPPED_VALUES) {
      problems.add(`${path}.values`, `must be an object of at most ${MAX_MAPPED_VALUES} values, such as {"old": "new"}`)
    } else if (component) {
      for (const [old, value] of Object.entries(values)) {
        if (value === null) continue
        // The values of an array field are mapped item by item.
        const written = fieldTypes[component.type].expects === 'array' ? [value] : value
        if (!takes(component, written)) {
          problems.add(
            at(`${path}.values`, old),
            `"${component.name}" does not accept this value; use one that matches its type and rules, or null to clear`,
          )
        }
      }
    }
  },
} satisfies Record<string, StepCheck>

/** Whether the component accepts the value, apart from ages, which depend on the day, and the number of items. */
function takes(component: SchemaComponent, value: unknown): boolean {
  const { minAge: _minAge, maxAge: _maxAge, minItems: _minItems, ...rules } = component.rules ?? {}
  const { check, normalise } = compileField({ ...component, rules }, fieldEngines)
  const written = value as JsonValue
  if (written === null || check(written, 0) !== null) return false
  // Migrations write values as they are.
  return normalise === undefined || isSameValue(written, normalise(written, null, 0))
}
