import type { RuleValues } from '../../../contract/fields/field-type.ts'
import type { ComponentOption } from '../../../contract/profile-schema.ts'
import type { Rule } from './rules.ts'

/** What a schema may say about fields of one type. `contract/fields/` validates the fields' values by it. */
export interface FieldKind {
  /** Whether a component of this kind has `options`. */
  readonly takesOptions: boolean
  /** Its rules, by name. */
  readonly rules: Readonly<Record<string, Rule>>
  /** Contradictions between rules that are valid alone: rule name → what is wrong and what to do. */
  contradictions?(rules: RuleValues, options: readonly ComponentOption[]): Record<string, string>
  /** Upper bounds that a field has without naming them, such as by the number of its options: rule name → bound. */
  impliedBounds?(rules: RuleValues, options: readonly ComponentOption[]): RuleValues
  /** Why fewer values are accepted although no rule narrows by itself, such as `Rule step counts from 0 instead of 1.` */
  narrowedTogether?(before: RuleValues, after: RuleValues): string[]
  /** The most characters that its pattern has to match in one value; absent for kinds without patterns. */
  matchedCharacters?(rules: RuleValues): number
}
