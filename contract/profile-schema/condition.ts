import { z } from 'zod'
import type { Condition as FieldsCondition } from '../fields/conditions/condition.ts'

const Comparand = z.union([z.string(), z.number(), z.boolean()])
const Bound = z.union([z.number(), z.string()])

/**
 * A comparison of one field: exactly one of `is`, `isNot`, `in`, `notIn`, `set`, or `min` and `max`. A field that is unset
 * or hidden is null: only `isNot`, `notIn` and `set: false` hold for it.
 */
export const FieldCondition = z.strictObject({
  field: z.string().meta({ description: 'The name of another component.' }),
  is: Comparand.optional(),
  isNot: Comparand.optional(),
  in: z.array(Comparand).optional(),
  notIn: z.array(Comparand).optional(),
  set: z.boolean().optional(),
  min: Bound.optional(),
  max: Bound.optional(),
})

/** A condition on the profile: up to 4 levels deep, up to 20 comparisons. */
export const Condition: z.ZodType<FieldsCondition, FieldsCondition> = z.lazy(() => anyCondition)
export type Condition = FieldsCondition

const anyCondition = z.union([
  FieldCondition,
  z.strictObject({ all: z.array(Condition) }),
  z.strictObject({ any: z.array(Condition) }),
  z.strictObject({ not: Condition }),
])
