import { compileCondition } from '../../../../contract/fields/conditions/compile-condition.ts'
import { compileVisibility, type HiddenFields } from '../../../../contract/fields/conditions/visibility.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import type { JsonValue } from '../../../../contract/fields/field-type.ts'
import type { Condition, ProfileSchema } from '../generated/types.ts'
import { decidedBy, type IsDecided, withConditions } from '../profile/decided-conditions.ts'
import { own } from './records.ts'

/** What the conditions of a schema say about the values of a profile. */
export interface JudgedValues {
  /** The fields that do not exist. */
  readonly hidden: HiddenFields
  readonly isDecided: IsDecided
  /** Whether a condition holds; `otherwise` without one, and if the service alone can decide. */
  holds(condition: Condition | undefined, otherwise?: boolean): boolean
}

/** Judges values by the service's own code. */
export function judgeValues(schema: ProfileSchema, values: Readonly<Record<string, unknown>>): JudgedValues {
  const components = schema.components as readonly FieldComponent[]
  // A field that the user cannot read is null, whatever is stored.
  const isDecided = decidedBy(components, ({ name, readable }) => readable !== false || own(values, name) !== null)
  const read = (name: string): JsonValue => (own(values, name) ?? null) as JsonValue
  const hidden = compileVisibility(components.map((component) => withConditions(component, isDecided)))(read)
  return {
    hidden,
    isDecided,
    holds: (condition, otherwise = false) =>
      condition && isDecided(condition)
        ? compileCondition(condition)((name) => (hidden.has(name) ? null : read(name)))
        : otherwise,
  }
}
