import { conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { FieldComponent } from '../../../../contract/fields/field-component.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { Condition, ProfileSchema } from '../generated/types.ts'

/**
 * The components that this version of the client can judge. Of types that it does not know, the service alone decides, and so
 * it does of conditions that read their fields, or fields whose stored values the user cannot read.
 */
export function knownComponents({ components }: ProfileSchema): FieldComponent[] {
  const all = components as readonly FieldComponent[]
  const known = all.filter(({ type }) => Object.hasOwn(fieldTypes, type))
  const decidable = new Set(known.filter(({ readable }) => readable !== false).map(({ name }) => name))
  // Whether a field exists can depend on another field, so the loss of one condition can cost others.
  for (let count = -1; count !== decidable.size; ) {
    count = decidable.size
    for (const component of known) {
      const { name, visibleWhen } = component
      if (visibleWhen !== undefined && !readsOnly(decidable, visibleWhen)) decidable.delete(name)
    }
  }
  return known.map((component) =>
    conditionsOf(component).every((condition) => readsOnly(decidable, condition))
      ? component
      : unconditional(component),
  )
}

/** The component without its conditions. */
export const unconditional = ({
  lockedWhen: _locked,
  visibleWhen: _visible,
  requiredWhen: _required,
  options,
  ...component
}: FieldComponent): FieldComponent => ({ ...component, options: options?.map(({ value }) => ({ value })) })

const readsOnly = (names: ReadonlySet<string>, condition: Condition): boolean =>
  conditionFields(condition).every((name) => names.has(name))

const conditionsOf = ({ lockedWhen, visibleWhen, requiredWhen, options = [] }: FieldComponent): Condition[] =>
  [lockedWhen, visibleWhen, requiredWhen, ...options.map(({ when }) => when)].filter((one) => one !== undefined)
