import type { FieldCheck, FieldEngines, FieldOption, JsonValue, ProfileValues, RuleValues } from './field-type.ts'
import { type FieldTypeName, fieldTypes } from './field-types.ts'
import { REQUIRED, RULE_NOT_MET } from './messages.ts'
import { isSameValue, ownValue } from './profile-values.ts'

/** What the checks read of a component of a profile schema. */
export interface FieldComponent {
  readonly name: string
  readonly type: FieldTypeName
  readonly rules?: RuleValues
  readonly options?: readonly FieldOption[]
  readonly required?: boolean
  readonly writable?: boolean
  readonly writeOnce?: boolean
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

/** The values to store, exactly as sent, null for a field to clear; or one message per invalid field. */
export type JudgedUpdate = { values: ProfileValues } | { validation: Record<string, string> }

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

  /** Every field in the schema's order; null when unset or when the stored value no longer has the field's JSON type. */
  present(values: ProfileValues): Record<string, JsonValue>
}

interface CompiledField {
  readonly name: string
  readonly required: boolean
  readonly writable: boolean
  readonly writeOnce: boolean
  readonly holds: (value: JsonValue) => boolean
  readonly check: FieldCheck
}

/**
 * Compiles the fields of a schema that the server accepted. The result runs on every update and allocates little more than
 * its result.
 * @throws TypeError for an unknown field type
 */
export function compileFields(
  components: readonly FieldComponent[],
  forms: Readonly<Record<string, { readonly required?: readonly string[] }>>,
  engines: FieldEngines,
): CompiledFields {
  const fields = components.map((component) => compileField(component, engines))
  const byName = new Map(fields.map((field) => [field.name, field]))

  const validate = (update: Readonly<Record<string, unknown>>, by: UpdateBy): JudgedUpdate => {
    const values: ProfileValues = {}
    let validation: Record<string, string> | undefined
    // Object.keys returns own keys only, and no component is named __proto__: no inherited property is read or written.
    for (const name of Object.keys(update)) {
      const field = byName.get(name)
      const value = update[name] as JsonValue | undefined
      if (field === undefined || value === undefined || !(field.writable || by.operator)) continue
      const message = judge(field, value, by)
      if (message === null) {
        values[name] = value
      } else {
        validation ??= {}
        validation[name] = message
      }
    }
    return validation === undefined ? { values } : { validation }
  }

  return {
    validate,
    validateForm(form, update, { now }) {
      const missing: Record<string, string> = {}
      for (const name of ownValue(forms, form)?.required ?? []) {
        const value = ownValue(update, name)
        if (value === undefined) missing[name] = REQUIRED
        else if (value === null) missing[name] = RULE_NOT_MET
      }
      const judged = validate(update, { now, operator: false, current: null })
      const refused = 'validation' in judged ? judged.validation : {}
      const validation = { ...refused, ...missing }
      return Object.keys(validation).length > 0 ? { validation } : judged
    },
    present(values) {
      const shown: Record<string, JsonValue> = {}
      for (const { name, holds } of fields) {
        const value = ownValue(values, name)
        shown[name] = value !== undefined && value !== null && holds(value) ? value : null
      }
      return shown
    },
  }
}

function compileField(component: FieldComponent, engines: FieldEngines): CompiledField {
  const { name, type, rules, options, required, writable, writeOnce } = component
  const fieldType = ownValue(fieldTypes, type)
  if (fieldType === undefined) throw new TypeError(`There is no profile field type ${type}`)
  return {
    name,
    required: required === true,
    writable: writable !== false,
    writeOnce: writeOnce === true,
    holds: fieldType.holds,
    check: fieldType.compile(rules ?? {}, options ?? [], engines),
  }
}

/** The message for one field, or null. */
function judge(field: CompiledField, value: JsonValue, by: UpdateBy): string | null {
  if (field.writeOnce && !by.operator && by.current !== null && !by.unproven?.includes(field.name)) {
    const stored = ownValue(by.current, field.name)
    // A value that the profile no longer shows counts as unset; otherwise the field could never be filled in again.
    if (stored !== undefined && stored !== null && field.holds(stored)) {
      // A value sent back unchanged is not validated, because the rules may have become stricter since it was stored.
      if (isSameValue(stored, value)) return null
      return value === null ? RULE_NOT_MET : (field.check(value, by.now) ?? RULE_NOT_MET)
    }
  }
  if (value === null) return field.required ? RULE_NOT_MET : null
  return field.check(value, by.now)
}
