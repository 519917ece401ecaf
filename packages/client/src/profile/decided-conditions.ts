import { conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'

/**
 * The fields about which the service knows nothing more than the client: their values are known, and their conditions read
 * such fields only.
 */
export function decidedFields(
  components: readonly FieldComponent[],
  isKnown: (component: FieldComponent) => boolean,
): ReadonlySet<string> {
  const decided = new Set(components.filter(isKnown).map(({ name }) => name))
  for (let size = -1; size !== decided.size; ) {
    size = decided.size
    for (const component of components) isDecided(component, decided) || decided.delete(component.name)
  }
  return decided
}

/** The components without the conditions that the service alone can decide: those that read other fields than these. */
export const decidedComponents = (
  components: readonly FieldComponent[],
  decided: ReadonlySet<string>,
): FieldComponent[] => components.map((one) => (isDecided(one, decided) ? one : unconditional(one)))

/** The component without its conditions. */
export const unconditional = (component: FieldComponent): FieldComponent => ({
  ...component,
  lockedWhen: undefined,
  visibleWhen: undefined,
  requiredWhen: undefined,
  options: component.options?.map(({ value }) => ({ value })),
})

/** Whether the conditions of a component read these fields only. */
const isDecided = (
  { lockedWhen, visibleWhen, requiredWhen, options = [] }: FieldComponent,
  decided: ReadonlySet<string>,
): boolean =>
  [lockedWhen, visibleWhen, requiredWhen, ...options.map(({ when }) => when)].every(
    (one) => !one || conditionFields(one).every((name) => decided.has(name)),
  )
