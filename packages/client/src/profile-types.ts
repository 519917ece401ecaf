import type { ProfileComponent } from './generated/types.ts'

export type { FieldDetail } from '../../../contract/fields/field-problem.ts'

/** The type of a profile field. */
export type ComponentType = ProfileComponent['type']
