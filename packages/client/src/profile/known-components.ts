import { conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { ProfileSchema } from '../generated/types.ts'

/**
 * The components that this version of the client can judge. Of types that it does not know, the service alone decides, and so
 * it does of conditions that read their fields, fields whose stored values the user cannot read, or fields whose own
 * conditions are left to the service.
 */
export function knownComponents({ components }: ProfileSchema): FieldComponent[] {
  const known = (components as readonly FieldComponent[]).filter(({ type }) => Object.hasOwn(fieldTypes, type))
  const decided = new Set(known.filter(({ readable }) => readable !== false).map(({ name }) => name))
  const isDecided = (component: FieldComponent): boolean => readsOf(component).every((name) => decided.has(name))
  for (let size = -1; size !== decided.size; ) {
    size = decided.size
    for (const component of known) isDecided(component) || decided.delete(component.name)
  }
  return known.map((component) => (isDecided(component) ? component : unconditional(component)))
}

/** The component without its conditions. */
export const unconditional = (component: FieldComponent): FieldComponent => ({
  ...component,
  lockedWhen: undefined,
  visibleWhen: undefined,
  requiredWhen: undefined,
  options: component.options?.map(({ value }) => ({ value })),
})

/** The fields that the conditions of a component read. */
const readsOf = ({ lockedWhen, visibleWhen, requiredWhen, options = [] }: FieldComponent): string[] =>
  [lockedWhen, visibleWhen, requiredWhen, ...options.map(({ when }) => when)].flatMap((one) =>
    one ? conditionFields(one) : [],
  )
