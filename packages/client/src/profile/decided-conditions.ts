import { conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { Condition } from '../../../../contract/fields/conditions/condition.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import type { FieldStep } from '../../../../contract/fields/forms/form-steps.ts'

/** Whether the client knows all that a condition reads; true without one. `{ field }` asks about the field itself. */
export type IsDecided = (condition: Condition | undefined) => boolean

/**
 * Which conditions the service would decide like the client: those that read only fields whose values are known, and of which
 * it is known whether they exist.
 */
export function decidedBy(
  components: readonly FieldComponent[],
  isKnown: (component: FieldComponent) => boolean,
): IsDecided {
  const decided = new Set(components.filter(isKnown).map(({ name }) => name))
  const isDecided: IsDecided = (condition) =>
    condition === undefined || conditionFields(condition).every((name) => decided.has(name))
  for (let size = -1; size !== decided.size; ) {
    size = decided.size
    for (const { name, visibleWhen } of components) isDecided(visibleWhen) || decided.delete(name)
  }
  return isDecided
}

/**
 * The fields that an existing step requires for certain. Of a field that is not readable, the user cannot see whether a value is
 * stored.
 */
export const askedBy = (
  { required = [], visibleWhen }: Pick<FieldStep, 'required' | 'visibleWhen'>,
  isDecided: IsDecided,
): string[] => required.filter((field) => isDecided(visibleWhen) && isDecided({ field }))

/**
 * The component with some of its conditions. Of a value that the user cannot read, the service alone knows whether it changes.
 * It requires none of a field that does not exist, and judges one that is locked only when the update makes it invalid.
 */
export function withConditions(component: FieldComponent, isKept: IsDecided): FieldComponent {
  const kept = (condition: Condition | false | undefined) => (condition && isKept(condition) ? condition : undefined)
  const { lockedWhen, visibleWhen, requiredWhen, options, readable } = component
  return {
    ...component,
    lockedWhen: kept(readable !== false && lockedWhen),
    visibleWhen: kept(visibleWhen),
    requiredWhen: kept(readable !== false && isKept(visibleWhen) && isKept(lockedWhen) && requiredWhen),
    options: options?.map(({ value, when }) => ({ value, when: kept(isKept(lockedWhen) && when) })),
  }
}
