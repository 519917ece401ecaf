import { type CompiledCondition, compileCondition } from '../../../../contract/fields/conditions/compile-condition.ts'
import { compileVisibility, type HiddenFields } from '../../../../contract/fields/conditions/visibility.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import type { JsonValue } from '../../../../contract/fields/field-type.ts'
import type { Condition, ProfileSchema } from '../generated/types.ts'
import { keptFor, own } from './records.ts'

/** What the conditions of a schema say about the values of a profile. */
export interface JudgedValues {
  /** The fields that do not exist. */
  readonly hidden: HiddenFields
  /** Whether a condition holds; false without one. */
  holds(condition: Condition | undefined): boolean
}

const visibilities = new WeakMap<ProfileSchema, ReturnType<typeof compileVisibility>>()
const conditions = new WeakMap<Condition, CompiledCondition>()

/** Judges values by the service's own code. */
export function judgeValues(schema: ProfileSchema, values: Readonly<Record<string, unknown>>): JudgedValues {
  const hiddenWhen = keptFor(visibilities, schema, () =>
    compileVisibility(schema.components as readonly FieldComponent[]),
  )
  const read = (name: string): JsonValue => (own(values, name) ?? null) as JsonValue
  const hidden = hiddenWhen(read)
  return {
    hidden,
    holds: (condition) =>
      condition !== undefined &&
      keptFor(conditions, condition, () => compileCondition(condition))((name) =>
        hidden.has(name) ? null : read(name),
      ),
  }
}
