import type { HiddenFields } from '../conditions/visibility.ts'
import type { ProfileValues } from '../field-type.ts'
import { ownValue } from '../profile-values.ts'
import { type FieldForm, type FieldStep, isStepVisible, stepsOf } from './form-steps.ts'

/** How far a user has completed one step. */
export interface StepState {
  readonly step: string
  readonly complete: boolean
  /** Fields that must have a value and have none. */
  readonly missing: string[]
  /** Fields with a stored value that the schema would refuse today and that the user can change. */
  readonly invalid: string[]
}

/** How far a user has completed a form. */
export interface FormState {
  readonly complete: boolean
  /** The first step that is not complete; null when the form is. */
  readonly nextStep: string | null
  /** The steps that exist for this profile: those whose `visibleWhen` holds. */
  readonly steps: StepState[]
}

/** What the state of a form depends on. */
export interface FormSubject {
  /** The profile as it is shown to the operator; hidden fields are null. */
  readonly values: ProfileValues
  /** The fields that do not exist: they are neither missing nor invalid. */
  readonly hidden: HiddenFields
  /** The fields whose values the schema would refuse if they were sent now; only those that the user can change. */
  readonly refused: readonly string[]
  /** The fields whose `requiredWhen` holds. */
  readonly asked: readonly string[]
  /** Which addresses of the account are verified. */
  readonly verified: { readonly email: boolean; readonly phone: boolean }
}

/**
 * The state of a form. It is computed, never stored: a profile that changes, or a later version of the schema, reopens a
 * form without further work.
 */
export function formStateOf(form: FieldForm, subject: FormSubject): FormState {
  const steps = stepsOf(form)
    .filter((step) => isStepVisible(step, (field) => ownValue(subject.values, field) ?? null))
    .map((step) => stepStateOf(step, subject))
  const next = steps.find(({ complete }) => !complete)
  return { complete: next === undefined, nextStep: next?.step ?? null, steps }
}

/** Those of the fields that exist and have no value. */
export const missingOf = (
  fields: readonly string[],
  { values, hidden }: Pick<FormSubject, 'values' | 'hidden'>,
): string[] => fields.filter((name) => !hidden.has(name) && ownValue(values, name) == null)

/** The state of a step, whether or not it is visible. */
export function stepStateOf({ step, fields = [], required = [], verify }: FieldStep, subject: FormSubject): StepState {
  const { values, refused, asked, verified } = subject
  const isAsked = (name: string) => required.includes(name) || asked.includes(name)
  const missing = missingOf(fields.filter(isAsked), subject)
  const invalid = fields.filter((name) => ownValue(values, name) != null && refused.includes(name))
  const isVerified = verify === undefined || verified[verify]
  return { step, complete: isVerified && missing.length === 0 && invalid.length === 0, missing, invalid }
}
