import { isRecord } from '../../../contract/fields/profile-values.ts'
import type { SchemaProblems } from '../schema/define/schema-problems.ts'
import type { SchemaComponent } from '../schema/schema-component.ts'
import { refuseName } from '../schema/schema-names.ts'

/**
 * Field name before a step → component of the candidate; null for a field whose values at that step are not checked, because
 * a later step removes or casts them.
 */
export type MigratedFields = Map<string, SchemaComponent | null>

/** Checks what is in a step, and turns the fields after it into those before it. */
export type StepCheck = (input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems) => void

export const UNKNOWN_FIELD = 'unknown field; use a field of this schema or remove the step'

/** The properties of a step; empty, with a problem reported, when one is missing. */
export function parts(input: unknown, path: string, keys: string[], problems: SchemaProblems): Record<string, unknown> {
  if (isRecord(input) && keys.every((key) => Object.hasOwn(input, key))) {
    problems.refuseOtherKeys(path, input, keys)
    return input
  }
  problems.add(path, `must be an object with ${keys.join(' and ')}`)
  return {}
}

/** The component a field ends up as; undefined when there is none or its values are not checked. */
export function target(
  field: unknown,
  path: string,
  fields: MigratedFields,
  problems: SchemaProblems,
): SchemaComponent | undefined {
  if (typeof field !== 'string' || !fields.has(field)) problems.add(path, UNKNOWN_FIELD)
  return (typeof field === 'string' && fields.get(field)) || undefined
}

/** Checks the name of a field that a step reads, which may have been in an earlier schema only. */
export function source(field: unknown, path: string, problems: SchemaProblems): string | undefined {
  const problem = refuseName(field)
  if (problem !== null) problems.add(path, problem)
  return problem === null ? (field as string) : undefined
}
