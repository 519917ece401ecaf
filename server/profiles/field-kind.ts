import type { ComponentOption } from '../../contract/profile-schema.ts'
import type { Expected } from './profile-messages.ts'
import type { Rule } from './rules.ts'

/** Anything `JSON.parse` can give. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/**
 * A profile's stored fields by name. `null` and absent both mean unset. Values may be odd (written under an older
 * schema), so every reader checks what it reads.
 */
export type ProfileValues = Record<string, JsonValue>

/** The rules of a component, by name; already judged by `defineProfileSchema`. */
export type RuleValues = Readonly<Record<string, JsonValue | undefined>>

/**
 * Judges one value that is not null: the message of the first rule it breaks, or null when it keeps them all.
 * `now` is epoch milliseconds.
 */
export type FieldCheck = (value: JsonValue, now: number) => string | null

/** One type of profile field (design 7): its JSON value, its rules, and how a value is judged by them. */
export interface FieldKind {
  /** The JSON type of its values. */
  readonly expects: Expected
  /** Whether a component of this kind lists `options`. */
  readonly takesOptions: boolean
  /** The rules it knows, by name. */
  readonly rules: Readonly<Record<string, Rule>>
  /** Rules that cannot all be kept, as rule name → what is wrong and what to do. Asked when each rule is right by itself. */
  contradictions?(rules: RuleValues, options: readonly ComponentOption[]): Record<string, string>
  /** How many steps matching its pattern can take at worst (see `pattern.ts`); absent for kinds without patterns. */
  matchingSteps?(rules: RuleValues): number
  /** Whether a stored value is still of this kind's JSON type: cheap, no rules. */
  holds(value: JsonValue): boolean
  /** The judge of one component, built once; the rules are read here and never again. */
  compile(rules: RuleValues, options: readonly ComponentOption[]): FieldCheck
}

/** A rule that is a number, or what holds without it. */
export function numberOr(rules: RuleValues, name: string, otherwise: number): number {
  const value = rules[name]
  return typeof value === 'number' ? value : otherwise
}
