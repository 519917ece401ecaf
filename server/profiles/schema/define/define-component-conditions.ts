import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { ComponentOption } from '../../../../contract/profile-schema.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { refuseName } from '../schema-names.ts'
import { inContractOrder } from './define-component.ts'
import { type ConditionScope, type Dependent, defineCondition } from './define-conditions.ts'
import type { ComponentsByName } from './define-field-names.ts'
import { refuseHidingCycles } from './hiding-cycles.ts'

const CONDITIONS = ['lockedWhen', 'visibleWhen', 'requiredWhen'] as const

/**
 * Checks the conditions of all components and their options, when every field is known. Components with other problems are
 * checked too, so that all problems are reported at once.
 * @param inputs the components as they were sent
 * @returns the components with conditions in canonical form
 */
export function defineComponentConditions(inputs: unknown, scope: ConditionScope): ComponentsByName {
  const defined = new Map(scope.components)
  const checked = new Set<unknown>()
  for (const input of Array.isArray(inputs) ? inputs : []) {
    const name = isRecord(input) ? input['name'] : undefined
    const component = scope.components.get(name as string)
    if (component === undefined || checked.has(name) || typeof name !== 'string' || refuseName(name) !== null) continue
    checked.add(name)
    defined.set(name, withConditions(input, name, component, scope))
  }
  refuseHidingCycles(defined, scope.problems)
  return defined
}

function withConditions(
  input: Record<string, unknown>,
  name: string,
  component: SchemaComponent | null,
  scope: ConditionScope,
): SchemaComponent | null {
  const define = (condition: unknown, key: string) =>
    defineCondition(condition, `components.${name}.${key}`, input as Dependent, scope)
  const conditions = Object.fromEntries(CONDITIONS.map((key) => [key, define(input[key], key)]))
  const options = Array.isArray(input['options']) ? input['options'] : []
  const whens = options.map((option, index) =>
    isRecord(option) ? define(option['when'], `options.${index}.when`) : undefined,
  )
  if (component === null) return null
  const available = component.options?.map((option, index) => withWhen(option, whens[index]))
  return inContractOrder({ ...component, ...conditions, options: available })
}

const withWhen = (option: ComponentOption, when: ComponentOption['when']): ComponentOption =>
  when === undefined ? option : { ...option, when }
