/** A value that a condition compares with. */
export type Comparand = string | number | boolean

/**
 * A comparison of one field. Exactly one operator, except that `min` and `max` together are a range. An unset, hidden or
 * unreadably stored field is null: `isNot`, `notIn` and `set: false` hold, all others do not. For an array field, `is` and
 * `in` hold when the array contains a value. For a `consent`, the value is `accepted`.
 */
export interface FieldCondition {
  field: string
  is?: Comparand | undefined
  isNot?: Comparand | undefined
  in?: Comparand[] | undefined
  notIn?: Comparand[] | undefined
  set?: boolean | undefined
  /** Numbers by value; `date`, `month` and `week` by the order of their text. */
  min?: number | string | undefined
  max?: number | string | undefined
}

/** A condition on the fields of a profile. */
export type Condition = FieldCondition | { all: Condition[] } | { any: Condition[] } | { not: Condition }
