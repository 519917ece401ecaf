import type { JsonValue } from '../../contract/fields/field-type.ts'
import { fieldTypes } from '../../contract/fields/field-types.ts'
import type { ProfileMigration } from '../../contract/profile-schema.ts'
import type { ComponentsByName } from './define-field-names.ts'
import { fieldEngines } from './field-engines.ts'
import type { SchemaComponent } from './schema-component.ts'
import { refuseName } from './schema-names.ts'
import { at, isRecord, type SchemaProblems } from './schema-problems.ts'

const MAX_MIGRATIONS = 200
const MAX_MAPPED_VALUES = 500

/** Field name before a step → component of the candidate; null for a field that is removed later. */
type Fields = Map<string, SchemaComponent | null>

/**
 * Checks a candidate's migrations: the form of each step, that it targets a field of this schema, and that the field
 * accepts the values the step writes. Steps are checked from last to first because only the final field names are known.
 */
export function defineMigrations(
  input: unknown,
  components: ComponentsByName,
  problems: SchemaProblems,
): ProfileMigration[] {
  if (input === undefined) return []
  if (!Array.isArray(input) || input.length > MAX_MIGRATIONS) {
    problems.add('migrations', `must be an array of at most ${MAX_MIGRATIONS} steps`)
    return []
  }
  const fields: Fields = new Map(components)
  for (let index = input.length - 1; index >= 0; index--) {
    defineStep(input[index], `migrations.${index}`, fields, problems)
  }
  return input as ProfileMigration[]
}

function defineStep(input: unknown, path: string, fields: Fields, problems: SchemaProblems): void {
  const [name, ...more] = isRecord(input) ? Object.keys(input) : []
  if (!isRecord(input) || name === undefined || more.length > 0 || !Object.hasOwn(steps, name)) {
    problems.add(path, `must be an object with exactly one of: ${Object.keys(steps).join(', ')}`)
  } else {
    steps[name as keyof typeof steps](input[name], at(path, name), fields, problems)
  }
}

const steps = {
  rename(input: unknown, path: string, fields: Fields, problems: SchemaProblems): void {
    const { from, to } = parts(input, path, ['from', 'to'], problems)
    if (from === undefined) return
    const problem = refuseName(from)
    if (problem !== null) problems.add(`${path}.from`, problem)
    if (from === to) problems.add(`${path}.to`, 'same name as from; remove the step')
    if (typeof to !== 'string' || !fields.has(to)) problems.add(`${path}.to`, UNKNOWN_FIELD)
    if (typeof to !== 'string' || typeof from !== 'string') return
    const target = fields.get(to)
    fields.delete(to)
    if (target !== undefined) fields.set(from, target)
  },

  drop(input: unknown, path: string, fields: Fields, problems: SchemaProblems): void {
    const problem = refuseName(input)
    if (problem !== null) problems.add(path, problem)
    else fields.set(input as string, null)
  },

  default(input: unknown, path: string, fields: Fields, problems: SchemaProblems): void {
    const { field, value } = parts(input, path, ['field', 'value'], problems)
    if (field === undefined) return
    const component = target(field, `${path}.field`, fields, problems)
    if (component && !takes(component, value)) {
      problems.add(
        `${path}.value`,
        `"${component.name}" does not accept this value; use one that matches its type and rules`,
      )
    }
  },

  map(input: unknown, path: string, fields: Fields, problems: SchemaProblems): void {
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
}

const UNKNOWN_FIELD = 'unknown field; use a field of this schema or remove the step'

/** The properties of a step; empty, with a problem reported, when one is missing. */
function parts(input: unknown, path: string, keys: string[], problems: SchemaProblems): Record<string, unknown> {
  if (isRecord(input) && keys.every((key) => Object.hasOwn(input, key))) {
    problems.refuseOtherKeys(path, input, keys)
    return input
  }
  problems.add(path, `must be an object with ${keys.join(' and ')}`)
  return {}
}

/** The component a field ends up as; undefined when there is none or the component has problems. */
function target(field: unknown, path: string, fields: Fields, problems: SchemaProblems): SchemaComponent | undefined {
  if (typeof field !== 'string' || !fields.has(field)) problems.add(path, UNKNOWN_FIELD)
  return (typeof field === 'string' && fields.get(field)) || undefined
}

/** Whether the component accepts the value, apart from ages, which depend on the day, and the number of items. */
function takes({ type, rules, options }: SchemaComponent, value: unknown): boolean {
  const { minAge: _minAge, maxAge: _maxAge, minItems: _minItems, ...others } = rules ?? {}
  return value !== null && fieldTypes[type].compile(others, options ?? [], fieldEngines)(value as JsonValue, 0) === null
}
