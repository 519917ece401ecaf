import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { Expected } from '../../../../contract/fields/messages.ts'
import { isSoundText } from '../../../../contract/fields/sound-text.ts'
import type { CastTarget } from '../../migrations/cast-value.ts'
import {
  type MigratedFields,
  parts,
  type StepCheck,
  source,
  target,
  UNKNOWN_FIELD,
} from '../../migrations/migrated-fields.ts'
import type { SchemaProblems } from './schema-problems.ts'

const SAME_NAME = 'same name as from; remove the step'
const MAX_FIELDS = 20
const MAX_SEPARATOR = 100

/** The JSON types of fields that take the result of a cast. */
const takenBy: { readonly [To in CastTarget]: readonly Expected[] } = {
  text: ['string'],
  number: ['number'],
  integer: ['integer', 'number'],
  boolean: ['boolean'],
  date: ['string'],
  list: ['array'],
}

/** The steps that move, cast, split and join stored values. */
export const defineRestructuring = {
  rename(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { from, to } = parts(input, path, ['from', 'to'], problems)
    if (from === undefined) return
    source(from, `${path}.from`, problems)
    if (from === to) problems.add(`${path}.to`, SAME_NAME)
    if (typeof to !== 'string' || !fields.has(to)) problems.add(`${path}.to`, UNKNOWN_FIELD)
    if (typeof to !== 'string' || typeof from !== 'string') return
    const component = fields.get(to)
    fields.delete(to)
    if (component !== undefined) fields.set(from, component)
  },

  drop(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const field = source(input, path, problems)
    if (field !== undefined) fields.set(field, null)
  },

  copy(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { from, to } = parts(input, path, ['from', 'to'], problems)
    if (from === undefined) return
    const read = source(from, `${path}.from`, problems)
    if (from === to) problems.add(`${path}.to`, SAME_NAME)
    const component = target(to, `${path}.to`, fields, problems)
    // Until here the source has values for the target, unless it is a field itself.
    if (read !== undefined && !fields.has(read)) fields.set(read, component ?? null)
  },

  cast(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { field, to } = parts(input, path, ['field', 'to'], problems)
    if (field === undefined) return
    const component = target(field, `${path}.field`, fields, problems)
    if (typeof to !== 'string' || !Object.hasOwn(takenBy, to)) {
      problems.add(`${path}.to`, `unknown type; use one of ${Object.keys(takenBy).join(', ')}`)
      return
    }
    if (component && !takenBy[to as CastTarget].includes(fieldTypes[component.type].expects)) {
      problems.add(`${path}.to`, `"${component.name}" is of type ${component.type}; cast to a type that it takes`)
    }
    if (typeof field === 'string' && fields.has(field)) fields.set(field, null)
  },

  split(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { from, separator, to } = parts(input, path, ['from', 'separator', 'to'], problems)
    if (from === undefined) return
    const read = source(from, `${path}.from`, problems)
    defineSeparator(separator, 1, `${path}.separator`, problems)
    for (const [index, name] of defineNames(to, `${path}.to`, problems).entries()) {
      defineTextTarget(name, `${path}.to.${index}`, fields, problems)
    }
    if (read !== undefined && !fields.has(read)) fields.set(read, null)
  },

  join(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
    const { from, separator, to } = parts(input, path, ['from', 'separator', 'to'], problems)
    if (from === undefined) return
    defineSeparator(separator, 0, `${path}.separator`, problems)
    defineTextTarget(to, `${path}.to`, fields, problems)
    for (const [index, name] of defineNames(from, `${path}.from`, problems).entries()) {
      const read = source(name, `${path}.from.${index}`, problems)
      if (read !== undefined && !fields.has(read)) fields.set(read, null)
    }
  },
} satisfies Record<string, StepCheck>

function defineSeparator(separator: unknown, least: number, path: string, problems: SchemaProblems): void {
  if (typeof separator === 'string' && isSoundText(separator)) {
    if (separator.length >= least && separator.length <= MAX_SEPARATOR) return
  }
  problems.add(path, `must be a text of ${least} to ${MAX_SEPARATOR} characters, such as ", "`)
}

/** The names of the fields that a step reads or writes. */
function defineNames(names: unknown, path: string, problems: SchemaProblems): unknown[] {
  if (!Array.isArray(names) || names.length === 0 || names.length > MAX_FIELDS) {
    problems.add(path, `must be an array of 1 to ${MAX_FIELDS} field names`)
    return []
  }
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) problems.add(`${path}.${index}`, 'duplicate field; name each field once')
  }
  return names
}

/** Checks that a field takes texts. */
function defineTextTarget(field: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
  const component = target(field, path, fields, problems)
  if (component && fieldTypes[component.type].expects !== 'string') {
    const problem = `"${component.name}" is of type ${component.type}, which takes no text; add a cast step after this one`
    problems.add(path, problem)
  }
}
