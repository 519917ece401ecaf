import { isChangeable } from '../../../../contract/fields/changeable.ts'
import { compileCondition } from '../../../../contract/fields/conditions/compile-condition.ts'
import { compileVisibility, type HiddenFields } from '../../../../contract/fields/conditions/visibility.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import type { JsonValue } from '../../../../contract/fields/json-value.ts'
import { ownValue } from '../../../../contract/fields/profile-values.ts'
import type { Condition, ProfileSchema } from '../generated/types.ts'
import { decidedBy, type IsDecided, withConditions } from '../profile/decided-conditions.ts'

/** What the conditions of a schema say about the values of a profile. */
export interface JudgedValues {
  /** The fields that do not exist. */
  readonly hidden: HiddenFields
  readonly isDecided: IsDecided
  /** Whether a condition holds; `otherwise` without one, and if the service alone can decide. */
  holds(condition: Condition | undefined, otherwise?: boolean): boolean
  /** Whether the user can change a field, if these values are stored; `otherwise` if the service alone knows whether it is locked. */
  isWritable(name: string, otherwise?: boolean): boolean
}

/** Judges values by the service's own code. */
export function judgeValues(schema: ProfileSchema, values: Readonly<Record<string, unknown>>): JudgedValues {
  const components = schema.components as readonly FieldComponent[]
  // A field that the user cannot read is null, whatever is stored.
  const isDecided = decidedBy(components, ({ name, readable }) => readable !== false || ownValue(values, name) !== null)
  const read = (name: string): JsonValue => (ownValue(values, name) ?? null) as JsonValue
  const hidden = compileVisibility(components.map((component) => withConditions(component, isDecided)))(read)
  const holds = (condition: Condition | undefined, otherwise = false): boolean =>
    condition && isDecided(condition)
      ? compileCondition(condition)((name) => (hidden.has(name) ? null : read(name)))
      : otherwise
  const isWritable = (name: string, otherwise = true): boolean =>
    components.some(
      (one) => one.name === name && isChangeable(one, read, !!one.lockedWhen && holds(one.lockedWhen, !otherwise)),
    )
  return { hidden, isDecided, holds, isWritable }
}
