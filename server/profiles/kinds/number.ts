import { numericKind } from '../numeric-field.ts'
import { exactNumber } from '../rules.ts'

/** A number. Rules: `min`, `max`, and `step` counted from `min`, or from 0 without one. */
export const number = numericKind('number', exactNumber)
