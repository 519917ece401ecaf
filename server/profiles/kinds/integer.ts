import { numericKind } from '../numeric-field.ts'
import { wholeNumber } from '../rules.ts'

/** A whole number; 1.0 is one, as JSON does not tell it from 1. Rules as for `number`, whole too. */
export const integer = numericKind('integer', wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
