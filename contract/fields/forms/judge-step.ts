import type { HiddenFields } from '../conditions/visibility.ts'
import { type FieldProblem, notMet } from '../field-problem.ts'
import type { JsonValue } from '../field-type.ts'
import { REQUIRED } from '../messages.ts'
import { ownValue } from '../profile-values.ts'
import { type FieldForm, type FieldStep, isStepVisible, stepsOf } from './form-steps.ts'

/** The step of a form that an update saves. */
export interface SavedStep {
  readonly form: FieldForm
  readonly step: FieldStep
}

/** An update of the fields of a step, judged like any other. */
export interface JudgedStep {
  readonly problems: ReadonlyMap<string, FieldProblem>
  /** The fields that do not exist after the update. */
  readonly hidden: HiddenFields
  /** Reads the profile after the update; hidden fields and values of another JSON type are null. */
  readonly read: (field: string) => JsonValue
}

/**
 * The problems of saving a step: those of the update, and the fields that the step requires and that have no value after it.
 * `requiredWhen` of a field in another step of the form waits for that step: the user could not fill it in here. Until then
 * the form is not complete.
 */
export function judgeStep(
  { form, step }: SavedStep,
  update: Readonly<Record<string, unknown>>,
  { problems, hidden, read }: JudgedStep,
): ReadonlyMap<string, FieldProblem> {
  const later = new Set(stepsOf(form).flatMap(({ fields = [] }) => fields))
  for (const name of step.fields ?? []) later.delete(name)
  const found = new Map(
    [...problems].filter(([name, { detail }]) => detail.rule !== 'requiredWhen' || !later.has(name)),
  )
  if (!isStepVisible(step, read)) return found
  for (const name of step.required ?? []) {
    if (found.has(name) || hidden.has(name) || read(name) !== null) continue
    const detail = { rule: 'required' } as const
    found.set(name, ownValue(update, name) === undefined ? { message: REQUIRED, detail } : notMet(detail))
  }
  return found
}
