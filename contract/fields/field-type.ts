import type { Condition } from './conditions/condition.ts'
import type { FieldProblem } from './field-problem.ts'
import type { JsonValue } from './json-value.ts'
import type { Expected } from './messages.ts'

/**
 * A profile's stored fields by name. `null` and absent both mean unset. Values written under an older schema may have
 * unexpected types, so every reader checks them.
 */
export type ProfileValues = Record<string, JsonValue>

/** The rules of a component, by name; validated when the schema is published. */
export type RuleValues = Readonly<Record<string, JsonValue | undefined>>

/**
 * Validates one value that is not null: the first rule it violates, or null when it is valid.
 * `now` is epoch milliseconds.
 */
export type FieldCheck = (value: JsonValue, now: number) => FieldProblem | null

/**
 * The value to store for a valid one; null clears the field.
 * @param stored the stored value that still has the field's JSON type; null when there is none
 */
export type FieldNormalisation = (value: JsonValue, stored: JsonValue, now: number) => JsonValue

/**
 * What the checks cannot do alike everywhere. The server decides with RE2, the numbering plans of all countries and
 * the names of its ICU. A client accepts what it cannot decide, so that only the server refuses it.
 */
export interface FieldEngines {
  /** The matcher of a valid RE2 pattern: whether it matches anywhere in a value. */
  compilePattern(pattern: string): (value: string) => boolean
  /** Whether a text in the form of E.164 is a number of one of the countries (ISO 3166-1 alpha-2); undefined: of any. */
  compilePhone(countries: readonly string[] | undefined): (e164: string) => boolean
  /** Whether three upper-case letters are a currency in use. */
  isCurrency(code: string): boolean
  /** Whether a text in the form of a name is a time zone's, letter case included. */
  isTimeZone(name: string): boolean
  /**
   * Compiles the check of a value that was stored before, where it differs: it accepts what was valid once. Clients store
   * nothing, so they have none.
   */
  compileStored?(type: string, rules: RuleValues, options: readonly FieldOption[]): FieldCheck | undefined
}

/** One choice of a field that has options. */
export interface FieldOption {
  readonly value: string
  /** The option counts only while this holds. */
  readonly when?: Condition | undefined
}

/** The values of one field type. Server and client run the same code. */
export interface FieldType {
  /** The JSON type of its values. */
  readonly expects: Expected
  /** The set of values shrinks with time: a stored one is checked as such when it is sent back unchanged. */
  readonly keepsStored?: true
  /** Whether a stored value has this JSON type; checks no rules. */
  holds(value: JsonValue): boolean
  /** Compiles the check of one component; the rules are only read here. */
  compile(rules: RuleValues, options: readonly FieldOption[], engines: FieldEngines): FieldCheck
  /** Compiles the value to store; absent for types whose values are stored exactly as sent. */
  compileNormalisation?(rules: RuleValues): FieldNormalisation
}

/** A numeric rule, or the default when it is absent. */
export function numberOr(rules: RuleValues, name: string, otherwise: number): number {
  const value = rules[name]
  return typeof value === 'number' ? value : otherwise
}
