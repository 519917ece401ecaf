import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { ProfileSchema } from '../generated/types.ts'
import { decidedBy, type IsDecided, withConditions } from './decided-conditions.ts'

/** The components that this version of the client can judge, and what it knows of a profile. */
export interface KnownComponents {
  /** Without the conditions that the service alone decides. */
  readonly known: readonly FieldComponent[]
  readonly isDecided: IsDecided
}

/**
 * Of types that it does not know, the service alone decides, and so it does of conditions that read their fields, or fields whose
 * stored values the user cannot read.
 */
export function knownComponents(components: ProfileSchema['components']): KnownComponents {
  const known = (components as readonly FieldComponent[]).filter(({ type }) => Object.hasOwn(fieldTypes, type))
  const isDecided = decidedBy(known, ({ readable }) => readable !== false)
  return { known: known.map((component) => withConditions(component, isDecided)), isDecided }
}
