import type { ProfileValues } from '../../../../contract/fields/field-type.ts'
import { type StepState, stepStateOf } from '../../../../contract/fields/forms/form-state.ts'
import { limitToStep } from '../../../../contract/fields/forms/form-steps.ts'
import { entriesWhere, ownValue } from '../../../../contract/fields/profile-values.ts'
import type { FormStep, ProfileForm, ProfileSchema, User } from '../generated/types.ts'
import { askedBy } from '../profile/decided-conditions.ts'
import type { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'
import { type JudgedValues, judgeValues } from './field-conditions.ts'
import { type Refusals, refusalsBy } from './refusals.ts'

/** Stored and entered values, and what was wrong with them. */
export interface ProfileFormValues {
  readonly stored: Readonly<Record<string, unknown>>
  readonly entered: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, FieldDetail>>
  /** The step that the user has opened; undefined: the first that is not complete. */
  readonly step?: string | undefined
}

type FormLayout = Pick<FormStep, 'title' | 'description' | 'fields' | 'required' | 'visibleWhen'>
/** A step, and how far what is saved completes it; `invalid` is known with `validate`. */
export type ShownStep = FormStep & StepState

/** What a form shows now. */
export interface ShownForm {
  /** The steps that exist; empty for a form without steps. */
  readonly steps: readonly ShownStep[]
  readonly step: ShownStep | undefined
  /** The step, or the form if it has none. */
  readonly layout: FormLayout
  /** The names of the form's fields that exist, in order. */
  readonly fields: readonly string[]
  readonly required: readonly string[]
  /** Those of the required fields that the service requires for certain. */
  readonly asked: readonly string[]
  /** The entered values that a submission sends. */
  readonly entered: Readonly<Record<string, unknown>>
  /** The stored values with the entered ones. */
  readonly values: Readonly<Record<string, unknown>>
  /** The stored values that the schema refuses; none of a form without steps, and without `validate`. */
  readonly refusals: Refusals
  readonly now: JudgedValues
  /** What the conditions say about the stored profile. */
  readonly before: JudgedValues
}

/** What a form shows, depending on its conditions and its current step. */
export function shownForm(
  schema: ProfileSchema,
  name: string | undefined,
  state: ProfileFormValues,
  user: User | null,
  validate?: typeof validateProfile,
): ShownForm {
  const { stored } = state
  const all: ProfileForm = { fields: schema.components.map((one) => one.name) }
  const form = (name === undefined ? all : ownValue(schema.forms, name)) ?? {}
  const refusals = refusalsBy(form.steps && validate, schema, stored, stored)
  const before = judgeValues(schema, stored)
  const refused = Object.keys(refusals.errors).filter((field) => before.isWritable(field, false))
  const verified = { email: !!user?.emailVerified, phone: !!user?.phoneVerified }

  /** What these values show. The step stays open while it exists; otherwise the first one opens that is not complete. */
  const judge = ({ hidden, isDecided, holds }: JudgedValues, opened: string | undefined) => {
    const asked = schema.components.flatMap(({ name: field, requiredWhen }) =>
      isDecided({ field }) && holds(requiredWhen) ? [field] : [],
    )
    const subject = { values: stored as ProfileValues, hidden, refused, asked, verified }
    const steps: readonly ShownStep[] = (form.steps ?? [])
      .filter(({ visibleWhen }) => holds(visibleWhen, true))
      .map((step) => ({ ...step, ...stepStateOf({ ...step, required: askedBy(step, isDecided) }, subject) }))
    const step = steps.find((one) => one.step === opened) ?? steps.find(({ complete }) => !complete) ?? steps[0]
    return { steps, step, entered: step ? limitToStep(state.entered, step) : state.entered }
  }

  const first = judge(before, state.step)
  const now = judgeValues(schema, { ...stored, ...first.entered })
  const { steps, step, entered } = judge(now, first.step?.step)
  const layout: FormLayout = step ?? form
  const { fields = [], required = [] } = layout
  const exists = (field: string): boolean => !now.hidden.has(field)
  return {
    ...{ steps, step, layout },
    fields: fields.filter(exists),
    required: required.filter(exists),
    asked: askedBy(layout, now.isDecided).filter(exists),
    entered: entriesWhere(entered, exists),
    values: { ...stored, ...entered },
    ...{ refusals, now, before },
  }
}
