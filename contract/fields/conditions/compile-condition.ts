import type { JsonValue } from '../json-value.ts'
import type { Comparand, Condition, FieldCondition } from './condition.ts'

/** Reads a field of a profile; null when it is unset, hidden or unknown. */
export type FieldReader = (field: string) => JsonValue

/** Whether a condition holds for a profile. Reads one field for each comparison, at most. */
export type CompiledCondition = (read: FieldReader) => boolean

type Test = (value: JsonValue) => boolean

/** Compiles a condition that the server accepted. */
export function compileCondition(condition: Condition): CompiledCondition {
  if ('all' in condition) {
    const parts = condition.all.map(compileCondition)
    return (read) => parts.every((holds) => holds(read))
  }
  if ('any' in condition) {
    const parts = condition.any.map(compileCondition)
    return (read) => parts.some((holds) => holds(read))
  }
  if ('not' in condition) {
    const holds = compileCondition(condition.not)
    return (read) => !holds(read)
  }
  const { field } = condition
  const test = compileTest(condition)
  return (read) => test(compared(read(field)))
}

/** The names of the fields that a condition reads, without duplicates. */
export function conditionFields(condition: Condition): string[] {
  const parts = partsOf(condition)
  return parts === null ? [(condition as FieldCondition).field] : [...new Set(parts.flatMap(conditionFields))]
}

/** The conditions that a condition combines; null for a comparison. */
export function partsOf(condition: Condition): readonly Condition[] | null {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  return 'not' in condition ? [condition.not] : null
}

/** Of a `consent`, `accepted` is compared. */
function compared(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return value['accepted'] ?? null
}

function compileTest({ is, isNot, in: among, notIn, set, min, max }: FieldCondition): Test {
  if (set !== undefined) return (value) => (value !== null) === set
  if (is !== undefined || among !== undefined) return isOneOf(among ?? [is!])
  if (isNot !== undefined || notIn !== undefined) {
    const excluded = isOneOf(notIn ?? [isNot!])
    return (value) => !excluded(value)
  }
  return (value) => isAtLeast(value, min) && (max === undefined || (typeof value === typeof max && value! <= max))
}

/** Whether the value, or an item of the array, is one of these; never for null. */
function isOneOf(comparands: readonly Comparand[]): Test {
  const values = new Set<JsonValue>(comparands)
  return (value) => (Array.isArray(value) ? value.some((item) => values.has(item)) : values.has(value))
}

function isAtLeast(value: JsonValue, min: number | string | undefined): boolean {
  return min === undefined || (typeof value === typeof min && value! >= min)
}
