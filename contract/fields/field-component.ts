import type { Condition } from './conditions/condition.ts'
import type { FieldOption, RuleValues } from './field-type.ts'
import type { FieldTypeName } from './field-types.ts'

/** What the checks read of a component of a profile schema. */
export interface FieldComponent {
  readonly name: string
  readonly type: FieldTypeName
  readonly rules?: RuleValues | undefined
  readonly options?: readonly FieldOption[] | undefined
  readonly required?: boolean | undefined
  readonly writable?: boolean | undefined
  readonly writeOnce?: boolean | undefined
  /** false: clients read null. */
  readonly readable?: boolean | undefined
  /** true: the value must be short enough for an access token. */
  readonly claim?: boolean | undefined
  readonly lockedWhen?: Condition | undefined
  readonly visibleWhen?: Condition | undefined
  readonly requiredWhen?: Condition | undefined
}

/** The operator's own note: not part of the public schema. */
export const isOperatorNote = ({ readable, writable }: Pick<FieldComponent, 'readable' | 'writable'>): boolean =>
  readable === false && writable === false
