import type { ProfileValues } from '../../../../contract/fields/field-type.ts'
import { stepStateOf } from '../../../../contract/fields/forms/form-state.ts'
import { limitToStep } from '../../../../contract/fields/forms/form-steps.ts'
import type { FormStep, ProfileSchema, User } from '../generated/types.ts'
import { type JudgedValues, judgeValues } from './field-conditions.ts'
import type { ProfileFormValues } from './profile-fields.ts'
import { entriesWhere, own } from './records.ts'

/** How far the user has completed a step; by what is saved. */
export interface StepProgress {
  readonly step: string
  readonly complete: boolean
  /** Required fields without a value. */
  readonly missing: readonly string[]
  /** Fields whose stored value the schema no longer accepts; found with `validate`. */
  readonly invalid: readonly string[]
}

/** What a form shows now. */
export interface ShownForm {
  /** The steps that exist; empty for a form without steps. */
  readonly steps: readonly (FormStep & StepProgress)[]
  readonly step: (FormStep & StepProgress) | undefined
  /** The names of the form's fields that exist, in order. */
  readonly fields: readonly string[]
  readonly required: readonly string[]
  /** The entered values that a submission sends. */
  readonly entered: Readonly<Record<string, unknown>>
  /** The stored values with the entered ones. */
  readonly values: Readonly<Record<string, unknown>>
  readonly now: JudgedValues
  /** What the conditions say about the stored profile. */
  readonly before: JudgedValues
}

/** Whether the value of a field is known here. */
export const isReadable = (schema: ProfileSchema, name: string): boolean =>
  schema.components.find((one) => one.name === name)?.readable !== false

/** What a form shows, depending on its conditions and its current step. */
export function shownForm(
  schema: ProfileSchema,
  name: string | undefined,
  state: ProfileFormValues,
  user: User | null,
  refused: readonly string[] = [],
): ShownForm {
  const { stored } = state
  const form = name === undefined ? undefined : own(schema.forms, name)
  const before = judgeValues(schema, stored)
  const progress = ({ hidden, holds }: JudgedValues) => {
    // The service decides about other fields.
    const known = (field: string): boolean => !hidden.has(field) && isReadable(schema, field)
    const existing = (form?.steps ?? []).filter(({ visibleWhen }) => visibleWhen === undefined || holds(visibleWhen))
    const verified = { email: user?.emailVerified === true, phone: user?.phoneVerified === true }
    const subject = { values: stored as ProfileValues, hidden, refused, verified }
    return existing.map((step) => ({
      ...step,
      ...stepStateOf({ ...step, required: step.required?.filter(known) }, subject),
    }))
  }
  const opened = (steps: readonly (FormStep & StepProgress)[]) =>
    steps.find(({ step }) => step === state.step) ?? steps.find(({ complete }) => !complete) ?? steps[0]

  const entered = (step: FormStep | undefined) => (step ? limitToStep(state.entered, step) : state.entered)
  let step = opened(progress(before))
  const now = judgeValues(schema, { ...stored, ...entered(step) })
  const steps = progress(now)
  step = steps.find((one) => one.step === step?.step) ?? opened(steps)
  const layout = step ?? form
  const exists = (field: string): boolean => !now.hidden.has(field)
  const names = name === undefined ? schema.components.map((one) => one.name) : (layout?.fields ?? [])
  return {
    steps,
    step,
    fields: names.filter(exists),
    required: (layout?.required ?? []).filter(exists),
    entered: entriesWhere(entered(step), exists),
    values: { ...stored, ...entered(step) },
    ...{ now, before },
  }
}
