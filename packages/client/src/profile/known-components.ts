import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { ProfileSchema } from '../generated/types.ts'
import { decidedComponents, decidedFields } from './decided-conditions.ts'

/**
 * The components that this version of the client can judge. Of types that it does not know, the service alone decides, and so
 * it does of conditions that read their fields.
 */
export function knownComponents({ components }: ProfileSchema): FieldComponent[] {
  const known = (components as readonly FieldComponent[]).filter(({ type }) => Object.hasOwn(fieldTypes, type))
  return decidedComponents(
    known,
    decidedFields(known, ({ readable }) => readable !== false),
  )
}
