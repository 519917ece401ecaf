import type { ProfileSchemaWarning } from '../../../../contract/admin/profile-schema.ts'
import { compileCondition, conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import { isOperatorNote } from '../../../../contract/fields/field-component.ts'
import { ownValue } from '../../../../contract/fields/profile-values.ts'
import type { ProfileForm, ProfileSchema } from '../../../../contract/profile-schema.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { canHoldIn } from './can-hold.ts'
import { conditionsOf } from './conditions-of.ts'

type CanHold = ReturnType<typeof canHoldIn>

/** Warnings of one schema, at most. */
const MAX_WARNINGS = 100

const NEVER_HOLDS = {
  visibleWhen: 'so the field is never shown',
  requiredWhen: 'so the field is never required',
  lockedWhen: 'so the field is never locked',
  option: 'so the option can never be chosen',
  step: 'so the step is always skipped',
} as const

/**
 * What a valid schema certainly does that its author cannot want: steps that users cannot save, fields that they cannot fill
 * in, conditions without effect.
 */
export function schemaWarnings(schema: ProfileSchema): ProfileSchemaWarning[] {
  const canHold = canHoldIn(schema)
  const components: readonly SchemaComponent[] = schema.components
  const warnings = [
    ...neverHolding(schema, canHold),
    ...components.flatMap((component) => requiredOfOperator(component, components, canHold)),
    ...lockedAtSignUp(schema),
    ...Object.entries(schema.forms).flatMap(([name, form]) => missingInForm(name, form, schema, canHold)),
  ]
  return warnings.slice(0, MAX_WARNINGS)
}

/** A field is required, and an option counts, only while the field is shown. */
const neverHolding = (schema: ProfileSchema, canHold: CanHold): ProfileSchemaWarning[] =>
  conditionsOf(schema).flatMap(({ path, effect, condition, component }) => {
    const shown = effect === 'requiredWhen' || effect === 'option' ? component?.visibleWhen : undefined
    // Of a field that is never shown, one warning is enough.
    if (!canHold(shown) || canHold(condition, shown)) return []
    const during = canHold(condition) ? ' while visibleWhen does' : ''
    return [{ path, message: `never holds${during}, ${NEVER_HOLDS[effect]}; correct or remove it` }]
  })

/** What users change can require a field that only the operator sets. Notes depend on notes only. */
function requiredOfOperator(
  component: SchemaComponent,
  components: readonly SchemaComponent[],
  canHold: CanHold,
): ProfileSchemaWarning[] {
  const { name, writable, requiredWhen, visibleWhen } = component
  if (writable !== false || isOperatorNote(component)) return []
  if (requiredWhen === undefined || !canHold(requiredWhen, visibleWhen)) return []
  const read = conditionFields(requiredWhen)
  const changed = components.find((other) => other.writable !== false && read.includes(other.name))
  if (changed === undefined) return []
  const message = `users cannot set "${name}", so a change of "${changed.name}" that requires it is refused until the operator sets it`
  return [{ path: `components.${name}.requiredWhen`, message }]
}

/** At sign-up no field has a value yet. */
function lockedAtSignUp({ components, forms }: ProfileSchema): ProfileSchemaWarning[] {
  const required = ownValue(forms, 'signUp')?.required ?? []
  return required.flatMap((name, index) => {
    const lockedWhen = components.find((component) => component.name === name)?.lockedWhen
    if (lockedWhen === undefined || !compileCondition(lockedWhen)(() => null)) return []
    const message = `"${name}" is locked while no field has a value, so no sign-up can set it; change its lockedWhen or do not require it`
    return [{ path: `forms.signUp.required.${index}`, message }]
  })
}

/** A value of a step can require a field that no step of the form has: the step cannot be saved until another update sets it. */
function missingInForm(
  name: string,
  form: ProfileForm,
  { components, forms }: ProfileSchema,
  canHold: CanHold,
): ProfileSchemaWarning[] {
  const steps = form.steps?.map((step, index) => ({ ...step, path: `forms.${name}.steps.${index}` }))
  const parts = steps ?? [{ ...form, path: `forms.${name}` }]
  // What every sign-up fills in has a value.
  const filled = new Set([
    ...parts.flatMap((part) => part.fields ?? []),
    ...(ownValue(forms, 'signUp')?.required ?? []),
  ])
  const outside = components.filter(
    (one) =>
      !filled.has(one.name) && one.writable !== false && one.requiredWhen && canHold(one.requiredWhen, one.visibleWhen),
  )
  const writable = new Set(components.filter((one) => one.writable !== false).map((one) => one.name))
  return parts.flatMap((part) =>
    outside.flatMap((missing) => {
      const read = conditionFields(missing.requiredWhen!)
      const by = part.fields?.find((field) => writable.has(field) && read.includes(field))
      if (by === undefined) return []
      const message = `cannot be saved while "${by}" requires "${missing.name}", which has no value and is not in this form; add it to the form`
      return [{ path: part.path, message }]
    }),
  )
}
