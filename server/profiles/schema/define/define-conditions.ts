import type { Condition } from '../../../../contract/fields/conditions/condition.ts'
import { isOperatorNote } from '../../../../contract/fields/field-component.ts'
import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { defineComparison } from './define-comparison.ts'
import type { ComponentsByName } from './define-field-names.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_DEPTH = 4
const MAX_COMPARISONS = 20
const MAX_COMPARISONS_OF_SCHEMA = 500
const MAX_VALUES_OF_SCHEMA = 5000
const COMBINATIONS = ['all', 'any', 'not'] as const

/** What a condition belongs to: a component, or a form step, which is public and has no name of a field. */
export interface Dependent {
  readonly name?: string
  readonly sensitive?: boolean
  readonly readable?: boolean
  readonly writable?: boolean
}

/** The conditions of a schema while it is checked. */
export interface ConditionScope {
  readonly components: ComponentsByName
  readonly problems: SchemaProblems
  /** Comparisons so far in the condition and in the whole schema, and the values of `in` and `notIn`. */
  readonly count: { condition: number; schema: number; values: number }
}

export const conditionScope = (components: ComponentsByName, problems: SchemaProblems): ConditionScope => ({
  components,
  problems,
  count: { condition: 0, schema: 0, values: 0 },
})

/**
 * Checks a condition: its form, the fields it reads and the values it compares with. Every condition of a schema is checked
 * with the same scope, because their number is limited together.
 * @param dependent a component, or `{}` for a form step
 * @returns the condition with its properties in the contract's order; undefined when it is absent or has problems
 */
export function defineCondition(
  input: unknown,
  path: string,
  dependent: Dependent,
  scope: ConditionScope,
): Condition | undefined {
  if (input === undefined) return undefined
  scope.count.condition = 0
  return defineLevel(input, path, 1, dependent, scope)
}

function defineLevel(
  input: unknown,
  path: string,
  depth: number,
  dependent: Dependent,
  scope: ConditionScope,
): Condition | undefined {
  const { problems } = scope
  if (!isRecord(input)) {
    problems.add(
      path,
      'must be an object such as {"field": "country", "is": "FR"}, {"all": […]}, {"any": […]} or {"not": …}',
    )
    return undefined
  }
  if (depth > MAX_DEPTH) {
    problems.add(path, `more than ${MAX_DEPTH} levels of conditions; combine fewer of all, any and not`)
    return undefined
  }
  const combinations = COMBINATIONS.filter((name) => Object.hasOwn(input, name))
  const [combination] = combinations
  if (combination === undefined) return defineLeaf(input, path, dependent, scope)
  if (Object.keys(input).length > 1) {
    problems.add(
      path,
      `takes exactly one of all, any, not or a comparison; put the others into a list of "all" or "any"`,
    )
    return undefined
  }
  const part = input[combination]
  if (combination === 'not') {
    const negated = defineLevel(part, `${path}.not`, depth + 1, dependent, scope)
    return negated && { not: negated }
  }
  const list = defineList(part, `${path}.${combination}`, depth, dependent, scope)
  if (list === undefined) return undefined
  return combination === 'all' ? { all: list } : { any: list }
}

function defineList(
  input: unknown,
  path: string,
  depth: number,
  dependent: Dependent,
  scope: ConditionScope,
): Condition[] | undefined {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_COMPARISONS) {
    scope.problems.add(path, `must be an array of 1 to ${MAX_COMPARISONS} conditions`)
    return undefined
  }
  const before = scope.problems.count
  const list = input.map((part, index) => defineLevel(part, `${path}.${index}`, depth + 1, dependent, scope))
  return scope.problems.count > before ? undefined : (list as Condition[])
}

function defineLeaf(
  input: Record<string, unknown>,
  path: string,
  dependent: Dependent,
  { components, problems, count }: ConditionScope,
): Condition | undefined {
  count.condition++
  count.schema++
  if (count.condition > MAX_COMPARISONS) {
    problems.add(
      path,
      `more than ${MAX_COMPARISONS} comparisons in one condition; use "in" for several values of a field`,
    )
    return undefined
  }
  if (count.schema > MAX_COMPARISONS_OF_SCHEMA) {
    problems.add(path, `more than ${MAX_COMPARISONS_OF_SCHEMA} comparisons in one schema; simplify its conditions`)
    return undefined
  }
  for (const list of [input['in'], input['notIn']]) count.values += Array.isArray(list) ? list.length : 0
  if (count.values > MAX_VALUES_OF_SCHEMA) {
    problems.add(path, `more than ${MAX_VALUES_OF_SCHEMA} values in the conditions of one schema; simplify them`)
    return undefined
  }
  const { field } = input
  const problem = refuseField(field, dependent, components)
  if (problem !== null) problems.add(`${path}.field`, problem)
  const read = problem === null ? (components.get(field as string) ?? null) : null
  return defineComparison(input, path, read, problems)
}

/** The problem of reading this field in a condition of `dependent`; null when it may be read. */
function refuseField(field: unknown, dependent: Dependent, components: ComponentsByName): string | null {
  if (typeof field !== 'string' || !components.has(field)) {
    return 'names no component of this schema; add one with this name or correct it'
  }
  if (field === dependent.name) return 'a condition cannot read its own field; name another one'
  const read = components.get(field)
  if (!read) return null
  // Whether the dependent field exists would disclose the other's value.
  if (read.sensitive === true && dependent.sensitive !== true) {
    return `"${field}" is sensitive and this is not; add "sensitive": true here or read another field`
  }
  if (read.type === 'name' || read.type === 'address') {
    return `"${field}" is of type ${read.type}, and conditions read no parts; read another field`
  }
  if (isOperatorNote(read) && !isOperatorNote(dependent)) {
    return `"${field}" is the operator's note and this is public; read another field`
  }
  // An update of a user would hide and so clear the note, or be refused under its name.
  if (!isOperatorNote(read) && isOperatorNote(dependent)) {
    return `"${field}" is public and this is the operator's note, which must not depend on what users send; read another note`
  }
  return null
}
