import type { RuleValues } from '../../../../contract/fields/field-type.ts'
import { isRecord, ownValue } from '../../../../contract/fields/profile-values.ts'
import type { ComponentOption, ComponentType } from '../../../../contract/profile-schema.ts'
import { fieldKinds } from '../kinds.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { at, type SchemaProblems, shownKey } from './schema-problems.ts'

/** Checks a component's rules: only rules of its type, each with a valid value, and no contradictions. */
export function defineRules(
  input: unknown,
  type: ComponentType,
  options: readonly ComponentOption[],
  path: string,
  problems: SchemaProblems,
): SchemaComponent['rules'] {
  if (input === undefined) return undefined
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"minLength": 2}')
    return undefined
  }
  const before = problems.count
  const kind = fieldKinds[type]
  const known = Object.keys(kind.rules)
  for (const [name, value] of Object.entries(input)) {
    const rule = ownValue(kind.rules, name)
    const problem = rule === undefined ? unknownRule(type, name, known) : rule.refuse(value)
    if (problem !== null) problems.add(at(path, name), problem)
  }
  if (problems.count > before) return undefined
  const contradictions = kind.contradictions?.(input as RuleValues, options) ?? {}
  for (const [name, problem] of Object.entries(contradictions)) problems.add(at(path, name), problem)
  // In the kind's order, so that equal rules serialize equally.
  return Object.fromEntries(
    known.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]),
  ) as NonNullable<SchemaComponent['rules']>
}

function unknownRule(type: ComponentType, name: string, known: readonly string[]): string {
  return known.length > 0
    ? `${type} fields have no rule "${shownKey(name)}"; allowed rules: ${known.join(', ')}`
    : `${type} fields have no rules; remove "${shownKey(name)}"`
}
