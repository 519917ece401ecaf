import type { Condition } from '../../../../contract/fields/conditions/condition.ts'
import type { ProfileSchema } from '../../../../contract/profile-schema.ts'
import type { SchemaComponent } from '../schema-component.ts'

/** A condition of a schema, and its dotted path. */
interface SchemaCondition {
  readonly path: string
  readonly condition: Condition
  /** What it decides, for messages. */
  readonly effect: 'visibleWhen' | 'requiredWhen' | 'lockedWhen' | 'option' | 'step'
  /** The component that has it, or whose option does; undefined for a step of a form. */
  readonly component?: SchemaComponent
}

/** Every condition of a schema: those of components and their options, then of the steps of forms. */
export function conditionsOf({ components, forms }: ProfileSchema): SchemaCondition[] {
  return [
    ...components.flatMap((component) => conditionsOfComponent(component)),
    ...Object.entries(forms).flatMap(([name, { steps = [] }]) =>
      steps.flatMap(({ visibleWhen }, index) =>
        conditionAt(`forms.${name}.steps.${index}.visibleWhen`, 'step', visibleWhen),
      ),
    ),
  ]
}

function conditionsOfComponent(component: SchemaComponent): SchemaCondition[] {
  const { name, options = [] } = component
  const path = `components.${name}`
  return [
    ...(['visibleWhen', 'requiredWhen', 'lockedWhen'] as const).flatMap((key) =>
      conditionAt(`${path}.${key}`, key, component[key], component),
    ),
    ...options.flatMap(({ when }, index) => conditionAt(`${path}.options.${index}.when`, 'option', when, component)),
  ]
}

const conditionAt = (
  path: string,
  effect: SchemaCondition['effect'],
  condition: Condition | undefined,
  component?: SchemaComponent,
): SchemaCondition[] => (condition === undefined ? [] : [{ path, effect, condition, ...(component && { component }) }])
