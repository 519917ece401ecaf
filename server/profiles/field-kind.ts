import type { ComponentOption } from '../../contract/profile-schema.ts'
import type { Expected } from './profile-messages.ts'
import type { Rule } from './rules.ts'

/** Any result of `JSON.parse`. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/**
 * A profile's stored fields by name. `null` and absent both mean unset. Values written under an older schema may have
 * unexpected types, so every reader checks them.
 */
export type ProfileValues = Record<string, JsonValue>

/** The rules of a component, by name; validated by `defineProfileSchema`. */
export type RuleValues = Readonly<Record<string, JsonValue | undefined>>

/**
 * Validates one value that is not null: the message of the first rule it violates, or null when it is valid.
 * `now` is epoch milliseconds.
 */
export type FieldCheck = (value: JsonValue, now: number) => string | null

/** One type of profile field: its JSON type, its rules, and the validation of its values. */
export interface FieldKind {
  /** The JSON type of its values. */
  readonly expects: Expected
  /** Whether a component of this kind has `options`. */
  readonly takesOptions: boolean
  /** Its rules, by name. */
  readonly rules: Readonly<Record<string, Rule>>
  /** Contradictions between rules that are valid alone: rule name → what is wrong and what to do. */
  contradictions?(rules: RuleValues, options: readonly ComponentOption[]): Record<string, string>
  /** Worst-case steps of matching its pattern (see `pattern.ts`); absent for kinds without patterns. */
  matchingSteps?(rules: RuleValues): number
  /** Whether a stored value has this kind's JSON type; checks no rules. */
  holds(value: JsonValue): boolean
  /** Compiles the check of one component; the rules are only read here. */
  compile(rules: RuleValues, options: readonly ComponentOption[]): FieldCheck
}

/** A numeric rule, or the default when it is absent. */
export function numberOr(rules: RuleValues, name: string, otherwise: number): number {
  const value = rules[name]
  return typeof value === 'number' ? value : otherwise
}
