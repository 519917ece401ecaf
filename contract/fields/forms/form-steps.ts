import { compileCondition, type FieldReader } from '../conditions/compile-condition.ts'
import type { Condition } from '../conditions/condition.ts'
import { entriesWhere } from '../profile-values.ts'

/** What the checks read of a step of a form: fields to fill in, or an address to verify. */
export interface FieldStep {
  readonly step: string
  readonly fields?: readonly string[] | undefined
  readonly required?: readonly string[] | undefined
  readonly verify?: 'email' | 'phone' | undefined
  readonly visibleWhen?: Condition | undefined
}

/** What the checks read of a form of a profile schema: `steps`, or the fields of its only step. */
export interface FieldForm {
  readonly fields?: readonly string[] | undefined
  readonly required?: readonly string[] | undefined
  readonly steps?: readonly FieldStep[] | undefined
}

/** The steps of a form. A form with `fields` is one step named `form`. */
export const stepsOf = ({ steps, fields, required }: FieldForm): readonly FieldStep[] =>
  steps ?? [{ step: 'form', fields, required }]

/**
 * Whether a step exists for a profile.
 * @param read reads the fields that exist; hidden ones are null
 */
export const isStepVisible = ({ visibleWhen }: FieldStep, read: FieldReader): boolean =>
  visibleWhen === undefined || compileCondition(visibleWhen)(read)

/** The fields that a form requires in any of its steps. */
export const requiredFieldsOf = (form: FieldForm): string[] => stepsOf(form).flatMap(({ required }) => required ?? [])

/** The part of an update that a step takes: fields of other steps, and of no step, are ignored like unknown ones. */
export function limitToStep<T>(
  update: Readonly<Record<string, T>>,
  { fields }: Pick<FieldStep, 'fields'>,
): Record<string, T> {
  const taken = new Set(fields)
  return entriesWhere(update, (name) => taken.has(name))
}
