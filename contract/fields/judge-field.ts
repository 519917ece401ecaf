import { type CompiledField, heldValue } from './compiled-field.ts'
import { type FieldProblem, notMet } from './field-problem.ts'
import type { ProfileValues } from './field-type.ts'
import type { JsonValue } from './json-value.ts'
import { isSameValue } from './profile-values.ts'

/** The sender of an update and the stored state. */
export interface UpdateBy {
  /** Epoch milliseconds. */
  readonly now: number
  /** The operator sets fields that are not writable, and changes write-once and locked ones. */
  readonly operator: boolean
  /** The stored values, migrated to this schema; null when there is no profile yet. */
  readonly current: ProfileValues | null
  /** Fields of `current` that `writeOnce` does not bind, because another person may have stored them. */
  readonly unproven?: readonly string[] | undefined
  /**
   * The update is a whole profile that was stored before, as an import has it: values are checked as stored ones
   * (`FieldEngines.compileStored`).
   */
  readonly storedBefore?: boolean
}

/** The fields of an update that are invalid; undefined when there are none. */
export type UpdateProblems = Map<string, FieldProblem> | undefined

/**
 * Judges each field of an update by itself. Adds the values to store to `values`, and returns the problems of the others.
 * Unknown and unwritable keys are ignored.
 */
export function judgeUpdate(
  fields: ReadonlyMap<string, CompiledField>,
  update: Readonly<Record<string, unknown>>,
  by: UpdateBy,
  values: ProfileValues,
): UpdateProblems {
  let problems: UpdateProblems
  // Object.keys returns own keys only, and no component is named __proto__: no inherited property is read or written.
  for (const name of Object.keys(update)) {
    const field = fields.get(name)
    const value = update[name] as JsonValue | undefined
    if (field === undefined || value === undefined || !(field.writable || by.operator)) continue
    const problem = judgeField(field, value, by)
    if (problem === null) {
      values[name] = storedValue(field, value, by)
    } else {
      problems ??= new Map()
      problems.set(name, problem)
    }
  }
  return problems
}

/** The problem of one field, or null. */
function judgeField(field: CompiledField, value: JsonValue, by: UpdateBy): FieldProblem | null {
  if (field.writeOnce && !by.operator && by.current !== null && !by.unproven?.includes(field.name)) {
    // A value that the profile no longer shows counts as unset; otherwise the field could never be filled in again.
    const held = heldValue(field, by.current)
    if (held !== null) {
      // A value sent back unchanged is not validated, because the rules may have become stricter since it was stored.
      if (isSameValue(held, value)) return null
      const problem = value === null ? null : field.check(value, by.now)
      if (problem !== null) return problem
      return isSameValue(held, storedValue(field, value, by)) ? null : notMet({ rule: 'writeOnce' })
    }
  }
  // An import clears nothing: an export writes null for a sensitive value.
  if (clearsField(field, value, by.now)) {
    return field.required && !by.storedBefore ? notMet({ rule: 'required' }) : null
  }
  const isKept = field.keepsStored && heldValue(field, by.current ?? {}) === value
  return by.storedBefore || isKept ? field.checkStored(value, by.now) : field.check(value, by.now)
}

/** The value to store for a valid one. */
function storedValue(field: CompiledField, value: JsonValue, { current, storedBefore, now }: UpdateBy): JsonValue {
  if (field.normalise === undefined || value === null) return value
  const stored = storedBefore ? { [field.name]: value } : current
  return field.normalise(value, stored === null ? null : heldValue(field, stored), now)
}

/** Whether a value clears the field: null, or an object that is stored as null. */
export function clearsField(field: CompiledField | undefined, value: JsonValue, now: number): boolean {
  if (value === null || field?.normalise === undefined) return value === null
  return field.check(value, now) === null && field.normalise(value, null, now) === null
}
