import { changeableFields } from '../changeable.ts'
import { type CompiledFields, invalidFields, type JudgedUpdate } from '../compile-fields.ts'
import type { FieldComponent } from '../field-component.ts'
import { type FieldDetail, missingIn } from '../field-problem.ts'
import type { UpdateBy } from '../judge-field.ts'
import { ownValue } from '../profile-values.ts'
import { type FieldForm, type FieldStep, isStepVisible, limitToStep, stepsOf } from './form-steps.ts'

/** The step of a form that an update saves. */
export interface SavedStep {
  readonly form: FieldForm
  readonly step: FieldStep
  /** Of the schema. */
  readonly components: readonly FieldComponent[]
}

/**
 * Validates an update of one step of a form like `validate`: fields of other steps are ignored, and the fields that the step
 * requires must have a value afterwards (`Required`), unless they or the step are hidden.
 *
 * `requiredWhen` of a field in another step of the form, and a choice there that is no longer possible, wait for that step: the
 * user could not change them here. Until then the form is not complete. Fields that the user cannot change at all do not wait.
 */
export function validateStep(
  fields: CompiledFields,
  { form, step, components }: SavedStep,
  update: Readonly<Record<string, unknown>>,
  by: UpdateBy,
): JudgedUpdate {
  const sent = limitToStep(update, step)
  const { values, problems, hidden } = fields.judge(sent, by)
  const after = fields.present({ ...by.current, ...values }, 'operator')
  const before = fields.present(by.current ?? {}, 'operator')
  const changeable = new Set(changeableFields(components, before, by.unproven))
  const elsewhere = new Set(stepsOf(form).flatMap(({ fields = [] }) => fields))
  for (const name of step.fields ?? []) elsewhere.delete(name)
  const waits = (name: string, { rule }: FieldDetail) =>
    elsewhere.has(name) && changeable.has(name) && (rule === 'requiredWhen' || rule === 'options')
  const found = new Map([...problems].filter(([name, { detail }]) => !waits(name, detail)))
  const required = isStepVisible(step, (name) => ownValue(after, name) ?? null) ? step.required : undefined
  for (const name of required ?? []) {
    // A version of the schema that was published meanwhile may not have the field.
    if (found.has(name) || hidden.has(name) || ownValue(after, name) !== null) continue
    found.set(name, missingIn(sent, name))
  }
  return invalidFields(found) ?? { values }
}
