import { type CompiledField, compileField, heldValue } from './compiled-field.ts'
import { compileConditions } from './conditions/conditional-update.ts'
import { type HiddenFields, noneHidden } from './conditions/visibility.ts'
import type { FieldComponent } from './field-component.ts'
import { type FieldDetail, type FieldProblem, missingIn } from './field-problem.ts'
import type { FieldEngines, ProfileValues } from './field-type.ts'
import { type FieldForm, requiredFieldsOf } from './forms/form-steps.ts'
import type { JsonValue } from './json-value.ts'
import { clearsField, judgeUpdate, type UpdateBy } from './judge-field.ts'
import { ownValue } from './profile-values.ts'

/** The refusal of an update by field: the contract's message, and the violated rule. */
export interface InvalidFields {
  readonly validation: Record<string, string>
  readonly details: Record<string, FieldDetail>
}

/** The values to store, null for a field to clear; or why the update is refused. */
export type JudgedUpdate = { values: ProfileValues } | InvalidFields

/** An update of which some fields may be invalid. */
export interface JudgedFields {
  /** The values to store if no field is invalid, null for fields to clear. */
  readonly values: ProfileValues
  readonly problems: ReadonlyMap<string, FieldProblem>
  /** The fields that do not exist after the update. */
  readonly hidden: HiddenFields
}

const noProblems: ReadonlyMap<string, FieldProblem> = new Map()

/** Who reads a profile: the operator reads every field, the user null for fields that are not `readable`. */
export type Reader = 'user' | 'operator'

/** The fields of a published schema, compiled to validate and present profiles; keeps no reference to a profile. */
export interface CompiledFields {
  /** Judges a partial update like `validate`, and keeps what is valid in it. */
  judge(update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedFields

  /**
   * Validates a partial update: unknown and unwritable keys are ignored, null clears a field unless it is required. Reports
   * all invalid fields; coerces nothing. With conditions, also clears the fields that the update hides.
   */
  validate(update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedUpdate

  /**
   * Validates the first values of a profile like `validate`, and that the fields the form requires are present (`Required`)
   * and not null. An unknown form requires nothing.
   */
  validateForm(form: string, update: Readonly<Record<string, unknown>>, by: Pick<UpdateBy, 'now'>): JudgedUpdate

  /** The fields of a profile that do not exist, because their `visibleWhen` does not hold. */
  hidden(values: ProfileValues): HiddenFields

  /** The fields of a profile that must have a value, because their `requiredWhen` holds. */
  asked(values: ProfileValues): readonly string[]

  /**
   * Every field in the schema's order; null when unset, hidden or when the stored value no longer has the field's JSON type.
   * For the user, fields that are not readable are null, and left out when they are not writable either: the operator's own
   * notes.
   * @param shown what the fields are added to; default: a new object
   */
  present(values: ProfileValues, reader?: Reader, shown?: Record<string, JsonValue>): Record<string, JsonValue>
}

/** The refusal for problems by field; null when there are none. */
export function invalidFields(problems: ReadonlyMap<string, FieldProblem>): InvalidFields | null {
  if (problems.size === 0) return null
  const entries = [...problems]
  return {
    validation: Object.fromEntries(entries.map(([name, { message }]) => [name, message])),
    details: Object.fromEntries(entries.map(([name, { detail }]) => [name, detail])),
  }
}

/**
 * Compiles the fields of a schema that the server accepted. The result runs on every update and allocates little more than
 * its result.
 * @throws TypeError for an unknown field type
 */
export function compileFields(
  components: readonly FieldComponent[],
  forms: Readonly<Record<string, FieldForm>>,
  engines: FieldEngines,
): CompiledFields {
  const fields = components.map((component) => compileField(component, engines))
  const byName: ReadonlyMap<string, CompiledField> = new Map(fields.map((field) => [field.name, field]))
  const conditions = compileConditions(components, byName)

  const judge = (update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedFields => {
    if (conditions !== null) return conditions.judge(update, by)
    const values: ProfileValues = {}
    return { values, problems: judgeUpdate(byName, update, by, values) ?? noProblems, hidden: noneHidden }
  }

  return {
    judge,
    validate(update, by) {
      const { values, problems } = judge(update, by)
      return invalidFields(problems) ?? { values }
    },
    validateForm(form, update, { now }) {
      const { values, problems, hidden } = judge(update, { now, operator: false, current: null })
      const found = new Map(problems)
      for (const name of requiredFieldsOf(ownValue(forms, form) ?? {})) {
        const value = (ownValue(update, name) ?? null) as JsonValue
        if (!hidden.has(name) && clearsField(byName.get(name), value, now)) found.set(name, missingIn(update, name))
      }
      return invalidFields(found) ?? { values }
    },
    hidden: (values) => conditions?.hidden(values) ?? noneHidden,
    asked: (values) => conditions?.asked(values) ?? [],
    present(values, reader = 'user', shown = {}) {
      const hidden = conditions === null ? null : conditions.hidden(values)
      for (const field of fields) {
        if (reader === 'operator' || field.readable) {
          shown[field.name] = hidden?.has(field.name) ? null : heldValue(field, values)
        } else if (field.writable) {
          shown[field.name] = null
        }
      }
      return shown
    },
  }
}
