import { type FieldProblem, notMet } from '../field-problem.ts'
import type { FieldOption, JsonValue } from '../field-type.ts'
import { type CompiledCondition, compileCondition, conditionFields, type FieldReader } from './compile-condition.ts'

/** The problem of a chosen value, if it is an option whose `when` does not hold. */
export type OptionsCheck = (
  value: JsonValue,
  changed: (fields: readonly string[]) => boolean,
  read: FieldReader,
) => FieldProblem | null

interface ConditionalOption {
  readonly holds: CompiledCondition
  /** The field itself, and those that the condition reads: an update that changes none of them is not refused. */
  readonly dependsOn: readonly string[]
}

/** Compiles the `when` of a field's options; null when no option has one. */
export function compileOptions(name: string, options: readonly FieldOption[]): OptionsCheck | null {
  const conditional = new Map<JsonValue, ConditionalOption>()
  for (const { value, when } of options) {
    if (when === undefined) continue
    conditional.set(value, { holds: compileCondition(when), dependsOn: [name, ...conditionFields(when)] })
  }
  if (conditional.size === 0) return null
  return (chosen, changed, read) => {
    const isUnavailable = (value: JsonValue): boolean => {
      const option = conditional.get(value)
      return option !== undefined && changed(option.dependsOn) && !option.holds(read)
    }
    const isRefused = Array.isArray(chosen) ? chosen.some(isUnavailable) : isUnavailable(chosen)
    return isRefused ? notMet({ rule: 'options', options: available(options, conditional, read) }) : null
  }
}

function available(
  options: readonly FieldOption[],
  conditional: ReadonlyMap<JsonValue, ConditionalOption>,
  read: FieldReader,
): string[] {
  const values = options.map(({ value }) => value)
  return values.filter((value) => conditional.get(value)?.holds(read) !== false)
}
