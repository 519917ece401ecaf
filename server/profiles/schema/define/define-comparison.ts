import type { FieldCondition } from '../../../../contract/fields/conditions/condition.ts'
import type { FieldEngines } from '../../../../contract/fields/field-type.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { JsonValue } from '../../../../contract/fields/json-value.ts'
import { orderedTypes } from '../../../../contract/profile-schema/field-access.ts'
import { fieldEngines } from '../field-engines.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const OPERATORS = ['is', 'in', 'isNot', 'notIn', 'set', 'min', 'max'] as const
const MAX_VALUES = 250
const ADVICE = 'use one of is, in, isNot, notIn, set, or min and max'

/**
 * Checks a comparison with one field. Counting it and finding the field is up to `defineCondition`.
 * @param read the field; null when it is invalid, so that only the form is checked
 */
export function defineComparison(
  input: Record<string, unknown>,
  path: string,
  read: SchemaComponent | null,
  problems: SchemaProblems,
): FieldCondition | undefined {
  const before = problems.count
  problems.refuseOtherKeys(path, input, ['field', ...OPERATORS])
  const operators = OPERATORS.filter((name) => Object.hasOwn(input, name))
  const isRange = operators.every((name) => name === 'min' || name === 'max')
  if (operators.length === 0) {
    problems.add(path, `takes exactly one of ${OPERATORS.join(', ')}; add the one to compare with`)
  } else if (operators.length > 1 && !isRange) {
    problems.add(path, `takes exactly one of ${OPERATORS.join(', ')} (min and max together are one); remove the others`)
  }
  const refuse = valuesOf(read)
  for (const name of operators) defineOperand(name, input[name], at(path, name), read, refuse, problems)
  refuseEmptyRange(input, path, problems)
  if (problems.count > before) return undefined
  const operands = operators.map((name) => [name, input[name]])
  return Object.fromEntries([['field', input['field']], ...operands]) as FieldCondition
}

function defineOperand(
  operator: (typeof OPERATORS)[number],
  value: unknown,
  path: string,
  read: SchemaComponent | null,
  refuse: RefuseValue,
  problems: SchemaProblems,
): void {
  if (operator === 'set') {
    if (typeof value !== 'boolean') problems.add(path, 'must be true (has a value) or false (has none)')
  } else if (operator === 'in' || operator === 'notIn') {
    defineValues(value, path, refuse, problems)
  } else if ((operator === 'min' || operator === 'max') && read !== null && !orderedTypes.includes(read.type)) {
    problems.add(path, `${read.type} fields have no order; ${ADVICE.replace(', or min and max', '')}`)
  } else {
    const problem = refuse(value)
    if (problem !== null) problems.add(path, problem)
  }
}

function defineValues(input: unknown, path: string, refuse: RefuseValue, problems: SchemaProblems): void {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_VALUES) {
    problems.add(path, `must be an array of 1 to ${MAX_VALUES} values`)
    return
  }
  const taken = new Set<unknown>()
  for (const [index, value] of input.entries()) {
    const problem = refuse(value) ?? (taken.has(value) ? 'duplicate value; values must be unique' : null)
    if (problem !== null) problems.add(`${path}.${index}`, problem)
    taken.add(value)
  }
}

type RefuseValue = (value: unknown) => string | null

/** The problem with a value to compare with: the field can never have it, or never contain it. */
function valuesOf(read: SchemaComponent | null): RefuseValue {
  const canHave = read === null ? () => true : compileCanHave(read)
  return (value) => {
    if (value === null) return 'must be a string, a number or a boolean; use "set": false for fields without a value'
    if (typeof value === 'object' || value === undefined) return 'must be a string, a number or a boolean'
    if (read === null || canHave(value as JsonValue)) return null
    const { name, type, options } = read
    if (options !== undefined) return `not the value of an option of "${name}"; use one of its options`
    if (isConsent(read)) return `"${name}" is a consent; compare with true or false`
    return fieldTypes[type].expects === 'array'
      ? `"${name}" cannot contain this value; compare with a valid item`
      : `"${name}" cannot have this value; compare with a valid value of type ${type}`
  }
}

/** Without the field's rules: they may become looser in a later version. */
function compileCanHave({ type, options, ...component }: SchemaComponent): (value: JsonValue) => boolean {
  if (isConsent({ type })) return (value) => typeof value === 'boolean'
  const { items } = component.rules ?? {}
  const check = fieldTypes[type].compile(items === undefined ? {} : { items }, options ?? [], formsOnly)
  const isArray = fieldTypes[type].expects === 'array'
  return (value) => check(isArray ? [value] : value, 0) === null
}

const isConsent = ({ type }: Pick<SchemaComponent, 'type'>): boolean => type === 'consent'

/** Comparing with a phone number needs no numbering plan, and a currency that was withdrawn may still be stored. */
const formsOnly: FieldEngines = {
  ...fieldEngines,
  compilePattern: () => () => true,
  compilePhone: () => () => true,
  isCurrency: () => true,
}

function refuseEmptyRange({ min, max }: Record<string, unknown>, path: string, problems: SchemaProblems): void {
  const isCrossed =
    (typeof min === 'number' && typeof max === 'number' && min > max) ||
    (typeof min === 'string' && typeof max === 'string' && min > max)
  if (isCrossed) problems.add(`${path}.min`, 'is above max, so the condition would never hold; lower min or raise max')
}
