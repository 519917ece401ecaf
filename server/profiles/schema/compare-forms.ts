import { requiredFieldsOf } from '../../../contract/fields/forms/form-steps.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { ProfileForm, ProfileSchema } from '../../../contract/profile-schema.ts'
import { losesVisibleWhen } from './compare-conditions.ts'
import type { SchemaChange } from './schema-change.ts'
import type { SchemaComponent } from './schema-component.ts'

/**
 * What the forms of a candidate break, by field.
 * @param before the current fields by their names in the candidate
 */
export function compareForms(
  current: ProfileSchema,
  candidate: ProfileSchema,
  before: ReadonlyMap<string | null, SchemaComponent>,
): SchemaChange[] {
  const kept = new Set(candidate.components.map(({ name }) => before.get(name)?.name))
  return [
    ...newlyRequired(current, candidate, before),
    ...noLongerSaved(current, candidate).filter(({ field }) => kept.has(field)),
  ]
}

/**
 * Fields that a form newly requires, or that could be hidden before and always exist now: clients that still show the old form
 * are refused. No client shows a form that the current schema does not have, but every client signs up.
 */
function newlyRequired(
  current: ProfileSchema,
  candidate: ProfileSchema,
  before: ReadonlyMap<string | null, SchemaComponent>,
): SchemaChange[] {
  const couldBeHidden = new Set(
    candidate.components.flatMap((after: SchemaComponent) => {
      const component = before.get(after.name)
      return component !== undefined && losesVisibleWhen(component, after) ? [component.name] : []
    }),
  )
  const known = Object.entries(candidate.forms).filter(
    ([form]) => form === 'signUp' || Object.hasOwn(current.forms, form),
  )
  return known.flatMap(([form, asking]) => {
    const asked = new Set(requiredFieldsOf(ownValue(current.forms, form) ?? {}))
    return requiredFieldsOf(asking)
      .map((name) => before.get(name)?.name ?? name)
      .filter((field) => !asked.has(field) || couldBeHidden.has(field))
      .map((field) => ({ field, kind: 'narrowed' as const, message: `Form ${form} now requires it.` }))
  })
}

/** The fields of forms and steps that the candidate lacks: clients that name them are refused. No client names `signUp`. */
const noLongerSaved = (current: ProfileSchema, candidate: ProfileSchema): SchemaChange[] =>
  Object.entries(current.forms).flatMap(([form, was]) => {
    if (form === 'signUp') return []
    const is = ownValue(candidate.forms, form)
    if (is === undefined) return narrowed(fieldsOf(was), `Form ${form} is removed; clients that name it are refused.`)
    const kept = new Set(is.steps?.map(({ step }) => step))
    return (was.steps ?? [])
      .filter(({ step }) => !kept.has(step))
      .flatMap(({ step, fields = [] }) =>
        narrowed(fields, `Step ${step} of form ${form} is removed; clients that save it are refused.`),
      )
  })

const fieldsOf = ({ fields, steps = [] }: ProfileForm): string[] => fields ?? steps.flatMap((step) => step.fields ?? [])

const narrowed = (fields: readonly string[], message: string): SchemaChange[] =>
  fields.map((field) => ({ field, kind: 'narrowed', message }))
