import type { ProfileValues } from '../../../../contract/fields/field-type.ts'
import { stepStateOf } from '../../../../contract/fields/forms/form-state.ts'
import { limitToStep } from '../../../../contract/fields/forms/form-steps.ts'
import type { FormStep, ProfileForm, ProfileSchema, User } from '../generated/types.ts'
import type { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'
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

/** Messages about fields, and the rules behind them. */
export interface Refusals {
  readonly errors: Readonly<Record<string, string>>
  readonly details: Readonly<Record<string, FieldDetail>>
}

type FormLayout = Pick<FormStep, 'title' | 'description' | 'fields' | 'required' | 'visibleWhen'>
type ShownStep = FormStep & StepProgress

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

/** Each schema without what protects its values. Held, because `validateProfile` compiles a schema once. */
const unprotected = new WeakMap<ProfileSchema, ProfileSchema>()

/** The refusals of stored values that the schema would not accept now, also where the user cannot change them. */
function refusalsOfStored(
  schema: ProfileSchema,
  stored: Readonly<Record<string, unknown>>,
  validate: typeof validateProfile,
): Refusals {
  let open = unprotected.get(schema)
  if (open === undefined) {
    const free = { writable: true, writeOnce: false, lockedWhen: undefined }
    open = { ...schema, components: schema.components.map((one) => ({ ...one, ...free }) as typeof one) }
    unprotected.set(schema, open)
  }
  const details: Record<string, FieldDetail> = {}
  const errors = validate(open, stored, { current: stored, details })
  return { errors: entriesWhere(errors, (name) => stored[name] !== null), details }
}

/** The fields that are required for certain. A step that does not exist requires nothing, and the service may know more. */
const askedOf = ({ required = [], visibleWhen }: FormLayout, { hidden, isDecided, holds }: JudgedValues): string[] =>
  visibleWhen === undefined || holds(visibleWhen)
    ? required.filter((field) => isDecided({ field }) && !hidden.has(field))
    : []

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
  const form = (name === undefined ? all : own(schema.forms, name)) ?? {}
  const before = judgeValues(schema, stored)
  const refusals = form.steps && validate ? refusalsOfStored(schema, stored, validate) : { errors: {}, details: {} }
  const verified = { email: !!user?.emailVerified, phone: !!user?.phoneVerified }
  const progress = (judged: JudgedValues): ShownStep[] => {
    const asked = schema.components
      .filter(({ name: field, requiredWhen }) => judged.isDecided({ field }) && judged.holds(requiredWhen))
      .map((one) => one.name)
    const refused = Object.keys(refusals.errors)
    const subject = { values: stored as ProfileValues, hidden: judged.hidden, refused, asked, verified }
    return (form.steps ?? [])
      .filter(({ visibleWhen }) => judged.holds(visibleWhen, true))
      .map((step) => ({ ...step, ...stepStateOf({ ...step, required: askedOf(step, judged) }, subject) }))
  }
  const opened = (steps: readonly ShownStep[]) =>
    steps.find(({ step }) => step === state.step) ?? steps.find(({ complete }) => !complete) ?? steps[0]

  const entered = (step: FormStep | undefined) => (step ? limitToStep(state.entered, step) : state.entered)
  let step = opened(progress(before))
  const now = judgeValues(schema, { ...stored, ...entered(step) })
  const steps = progress(now)
  step = steps.find((one) => one.step === step?.step) ?? opened(steps)
  const layout: FormLayout = step ?? form
  const exists = (field: string): boolean => !now.hidden.has(field)
  return {
    ...{ steps, step, layout },
    fields: (layout.fields ?? []).filter(exists),
    required: (layout.required ?? []).filter(exists),
    asked: askedOf(layout, now),
    entered: entriesWhere(entered(step), exists),
    values: { ...stored, ...entered(step) },
    ...{ refusals, now, before },
  }
}
