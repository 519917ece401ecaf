import { numericKind } from '../numeric-field.ts'
import { wholeNumber } from '../rules.ts'

/** An integer; 1.0 is one, because JSON does not distinguish it from 1. Rules as for `number`, with integers. */
export const integer = numericKind('integer', wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
