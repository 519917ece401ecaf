import type { FieldKind } from '../field-kind.ts'
import { flag } from '../rules.ts'

export const boolean: FieldKind = { takesOptions: false, rules: { mustBeTrue: flag } }
