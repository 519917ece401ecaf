import type { Condition } from './conditions/condition.ts'
import { type FieldDetail, type FieldProblem, notMet } from './field-problem.ts'
import type {
  FieldCheck,
  FieldEngines,
  FieldNormalisation,
  FieldOption,
  JsonValue,
  ProfileValues,
  RuleValues,
} from './field-type.ts'
import { type FieldTypeName, fieldTypes } from './field-types.ts'
import { type FieldForm, requiredFieldsOf } from './forms/form-steps.ts'
import { REQUIRED } from './messages.ts'
import { isSameValue, ownValue } from './profile-values.ts'

/** What the checks read of a component of a profile schema. */
export interface FieldComponent {
  readonly name: string
  readonly type: FieldTypeName
  readonly rules?: RuleValues | undefined
  readonly options?: readonly FieldOption[] | undefined
  readonly required?: boolean | undefined
  readonly writable?: boolean | undefined
  readonly writeOnce?: boolean | undefined
  /** false: clients read null. */
  readonly readable?: boolean | undefined
  readonly lockedWhen?: Condition | undefined
  readonly visibleWhen?: Condition | undefined
  readonly requiredWhen?: Condition | undefined
}

/** The sender of an update and the stored state. */
export interface UpdateBy {
  /** Epoch milliseconds. */
  readonly now: number
  /** The operator sets fields that are not writable, and changes write-once ones. */
  readonly operator: boolean
  /** The stored values, migrated to this schema; null when there is no profile yet. */
  readonly current: ProfileValues | null
  /** Fields of `current` that `writeOnce` does not bind, because another person may have stored them. */
  readonly unproven?: readonly string[] | undefined
}

/** The refusal of an update by field: the contract's message, and the violated rule. */
export interface InvalidFields {
  readonly validation: Record<string, string>
  readonly details: Record<string, FieldDetail>
}

/** The values to store, null for a field to clear; or why the update is refused. */
export type JudgedUpdate = { values: ProfileValues } | InvalidFields

/** Who reads a profile: the operator reads every field, the user null for fields that are not `readable`. */
export type Reader = 'user' | 'operator'

/** The fields of a published schema, compiled to validate and present profiles; keeps no reference to a profile. */
export interface CompiledFields {
  /**
   * Validates a partial update: unknown and unwritable keys are ignored, null clears a field unless it is required. Reports
   * all invalid fields; coerces nothing.
   */
  validate(update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedUpdate

  /**
   * Validates the first values of a profile like `validate`, and that the fields the form requires are present (`Required`)
   * and not null. An unknown form requires nothing.
   */
  validateForm(form: string, update: Readonly<Record<string, unknown>>, by: Pick<UpdateBy, 'now'>): JudgedUpdate

  /**
   * Every field in the schema's order; null when unset or when the stored value no longer has the field's JSON type. For the
   * user, fields that are not readable are null, and left out when they are not writable either: the operator's own notes.
   */
  present(values: ProfileValues, reader?: Reader): Record<string, JsonValue>
}

interface CompiledField {
  readonly name: string
  readonly required: boolean
  readonly writable: boolean
  readonly writeOnce: boolean
  readonly readable: boolean
  readonly holds: (value: JsonValue) => boolean
  readonly check: FieldCheck
  readonly normalise: FieldNormalisation | undefined
}

/** The operator's own note: not part of the public schema. */
export const isOperatorNote = ({ readable, writable }: Pick<FieldComponent, 'readable' | 'writable'>): boolean =>
  readable === false && writable === false

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
  const byName = new Map(fields.map((field) => [field.name, field]))

  const validate = (update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedUpdate => {
    const values: ProfileValues = {}
    let problems: Map<string, FieldProblem> | undefined
    // Object.keys returns own keys only, and no component is named __proto__: no inherited property is read or written.
    for (const name of Object.keys(update)) {
      const field = byName.get(name)
      const value = update[name] as JsonValue | undefined
      if (field === undefined || value === undefined || !(field.writable || by.operator)) continue
      const problem = judge(field, value, by)
      if (problem === null) {
        values[name] = stored(field, value, by)
      } else {
        problems ??= new Map()
        problems.set(name, problem)
      }
    }
    return (problems && invalidFields(problems)) ?? { values }
  }

  return {
    validate,
    validateForm(form, update, { now }) {
      const missing = new Map<string, FieldProblem>()
      for (const name of requiredFieldsOf(ownValue(forms, form) ?? {})) {
        const value = ownValue(update, name)
        if (value === undefined) missing.set(name, { message: REQUIRED, detail: { rule: 'required' } })
        else if (value === null) missing.set(name, notMet({ rule: 'required' }))
      }
      const judged = validate(update, { now, operator: false, current: null })
      const incomplete = invalidFields(missing)
      if (incomplete === null) return judged
      if (!('validation' in judged)) return incomplete
      return {
        validation: { ...judged.validation, ...incomplete.validation },
        details: { ...judged.details, ...incomplete.details },
      }
    },
    present(values, reader = 'user') {
      const shown: Record<string, JsonValue> = {}
      for (const field of fields) {
        if (reader === 'operator' || field.readable) shown[field.name] = heldValue(field, values)
        else if (field.writable) shown[field.name] = null
      }
      return shown
    },
  }
}

function compileField(component: FieldComponent, engines: FieldEngines): CompiledField {
  const { name, type, rules, options, required, writable, writeOnce, readable } = component
  const fieldType = ownValue(fieldTypes, type)
  if (fieldType === undefined) throw new TypeError(`There is no profile field type ${type}`)
  return {
    name,
    required: required === true,
    writable: writable !== false,
    writeOnce: writeOnce === true,
    readable: readable !== false,
    holds: fieldType.holds,
    check: fieldType.compile(rules ?? {}, options ?? [], engines),
    normalise: fieldType.compileNormalisation?.(rules ?? {}),
  }
}

/** The stored value that still has the field's JSON type; null when there is none. */
function heldValue({ name, holds }: CompiledField, values: ProfileValues): JsonValue {
  const value = ownValue(values, name)
  return value !== undefined && value !== null && holds(value) ? value : null
}

/** The problem of one field, or null. */
function judge(field: CompiledField, value: JsonValue, by: UpdateBy): FieldProblem | null {
  if (field.writeOnce && !by.operator && by.current !== null && !by.unproven?.includes(field.name)) {
    // A value that the profile no longer shows counts as unset; otherwise the field could never be filled in again.
    const held = heldValue(field, by.current)
    if (held !== null) {
      // A value sent back unchanged is not validated, because the rules may have become stricter since it was stored.
      if (isSameValue(held, value)) return null
      const problem = value === null ? null : field.check(value, by.now)
      return problem ?? notMet({ rule: 'writeOnce' })
    }
  }
  if (value === null) return field.required ? notMet({ rule: 'required' }) : null
  return field.check(value, by.now)
}

/** The value to store for a valid one. */
function stored(field: CompiledField, value: JsonValue, { current, now }: UpdateBy): JsonValue {
  if (field.normalise === undefined || value === null) return value
  return field.normalise(value, current === null ? null : heldValue(field, current), now)
}
