import type { ProfileValues } from '../field-type.ts'
import { ownValue } from '../profile-values.ts'
import { type FieldForm, type FieldStep, stepsOf } from './form-steps.ts'

/** How far a user has completed one step. */
export interface StepState {
  readonly step: string
  readonly complete: boolean
  /** Fields that the step requires and that have no value. */
  readonly missing: string[]
  /** Fields with a stored value that the schema would refuse today. */
  readonly invalid: string[]
}

/** How far a user has completed a form. */
export interface FormState {
  readonly complete: boolean
  /** The first step that is not complete; null when the form is. */
  readonly nextStep: string | null
  readonly steps: StepState[]
}

/** What the state of a form depends on. */
export interface FormSubject {
  /** The profile as it is shown to the operator. */
  readonly values: ProfileValues
  /** The fields that the schema would refuse if these values were sent now. */
  readonly refused: readonly string[]
  /** Which addresses of the account are verified. */
  readonly verified: { readonly email: boolean; readonly phone: boolean }
}

/**
 * The state of a form. It is computed, never stored: a profile that changes, or a later version of the schema, reopens a
 * form without further work.
 */
export function formStateOf(form: FieldForm, subject: FormSubject): FormState {
  const steps = stepsOf(form).map((step) => stepStateOf(step, subject))
  const next = steps.find(({ complete }) => !complete)
  return { complete: next === undefined, nextStep: next?.step ?? null, steps }
}

function stepStateOf({ step, fields = [], required = [], verify }: FieldStep, subject: FormSubject): StepState {
  const isSet = (name: string) => (ownValue(subject.values, name) ?? null) !== null
  const missing = required.filter((name) => !isSet(name))
  const invalid = fields.filter((name) => isSet(name) && subject.refused.includes(name))
  const isVerified = verify === undefined || subject.verified[verify]
  return { step, complete: isVerified && missing.length === 0 && invalid.length === 0, missing, invalid }
}
