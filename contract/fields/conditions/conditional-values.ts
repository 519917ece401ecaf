import type { FieldComponent } from '../field-component.ts'
import { type FieldProblem, notMet } from '../field-problem.ts'
import type { JsonValue } from '../json-value.ts'
import { type CompiledCondition, compileCondition, conditionFields, type FieldReader } from './compile-condition.ts'
import type { Condition } from './condition.ts'

/**
 * The problem of a value that a condition rules out: null while `requiredWhen` holds, or an option whose `when` does not.
 * With `readBefore`, values that were ruled out before are accepted.
 */
export type ValueCheck = (
  value: JsonValue,
  changed: (fields: readonly string[]) => boolean,
  read: FieldReader,
  readBefore: FieldReader | null,
) => FieldProblem | null

interface ConditionalValue {
  readonly isPossible: CompiledCondition
  /** The field itself, and those that the condition reads: an update that changes none of them is not refused. */
  readonly dependsOn: readonly string[]
}

/** Compiles `requiredWhen` of a field and the `when` of its options. */
export function compileValueCheck({ name, requiredWhen, options = [] }: FieldComponent): ValueCheck {
  const conditional = new Map<JsonValue, ConditionalValue>()
  const add = (value: JsonValue, when: Condition) =>
    conditional.set(value, { isPossible: compileCondition(when), dependsOn: [name, ...conditionFields(when)] })
  for (const { value, when } of options) if (when !== undefined) add(value, when)
  if (requiredWhen !== undefined) add(null, { not: requiredWhen })
  return (given, changed, read, readBefore) => {
    const isRefused = (value: JsonValue): boolean => {
      const one = conditional.get(value)
      if (one === undefined || !changed(one.dependsOn) || one.isPossible(read)) return false
      return readBefore === null || one.isPossible(readBefore)
    }
    if (!(Array.isArray(given) ? given.some(isRefused) : isRefused(given))) return null
    if (given === null) return notMet({ rule: 'requiredWhen' })
    const values = options.map(({ value }) => value)
    const available = values.filter((value) => conditional.get(value)?.isPossible(read) !== false)
    return notMet({ rule: 'options', options: available })
  }
}
