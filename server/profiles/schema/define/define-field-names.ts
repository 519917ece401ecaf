import { isOperatorNote } from '../../../../contract/fields/field-component.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { defineText } from './define-text.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_TITLE_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 2000

/** The candidate's components by name; null for a component that has problems. */
export type ComponentsByName = ReadonlyMap<string, SchemaComponent | null>

/** Checks an array of unique fields of the schema, such as the required ones of a form; returns the valid ones. */
export function defineFieldNames(
  input: unknown,
  path: string,
  components: ComponentsByName,
  problems: SchemaProblems,
): string[] {
  if (!Array.isArray(input)) {
    problems.add(path, 'must be an array of field names such as ["firstName"]')
    return []
  }
  const fields = new Set<string>()
  for (const [index, field] of input.entries()) {
    if (typeof field !== 'string' || !components.has(field)) {
      problems.add(`${path}.${index}`, 'unknown field; add a component with this name or remove it')
    } else if (fields.has(field)) {
      problems.add(`${path}.${index}`, `duplicate field "${field}"; remove it`)
    } else {
      fields.add(field)
    }
  }
  return [...fields]
}

/** Checks the fields that a section, a form or a step shows: none is the operator's own note, which clients do not see. */
export function defineShownFields(
  input: unknown,
  path: string,
  components: ComponentsByName,
  problems: SchemaProblems,
): string[] {
  const fields = defineFieldNames(input, path, components, problems)
  for (const field of fields) {
    const component = components.get(field)
    if (!component || !isOperatorNote(component)) continue
    const problem = `clients neither read nor write "${field}"; remove it, or make the field readable`
    problems.add(fieldPath(input, path, field), problem)
  }
  return fields
}

/** The path of a valid field of such an array: its place in the input, which can have invalid ones before it. */
export function fieldPath(input: unknown, path: string, field: string): string {
  return `${path}.${(input as readonly unknown[]).indexOf(field)}`
}

/** Checks title and description of a section, a form or a step. */
export function defineTitles(input: Readonly<Record<string, unknown>>, path: string, problems: SchemaProblems) {
  const title = defineText(input['title'], `${path}.title`, MAX_TITLE_LENGTH, problems)
  const description = defineText(input['description'], `${path}.description`, MAX_DESCRIPTION_LENGTH, problems)
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}
