import { conditionFields, partsOf } from '../../../contract/fields/conditions/compile-condition.ts'
import type { Condition, FieldCondition } from '../../../contract/fields/conditions/condition.ts'
import type { SchemaComponent } from './schema-component.ts'

const EFFECTS = {
  lockedWhen: 'clients can no longer change the field while it holds',
  visibleWhen: 'the field does not exist, and its value is cleared, while it does not hold',
  requiredWhen: 'updates without a value are refused while it holds',
} as const

/** A field with a sentence about a condition that the candidate has and the current schema has not. */
type ConditionChange = readonly [field: string, message: string]

/** The name under which the candidate has the whole value of a field; null when there is none. */
export type NameAfter = (field: string) => string | null

/**
 * The conditions that a candidate adds or changes. What a condition lets through cannot be compared with what another does,
 * so each change counts as one that narrows; removing one does not.
 * @param before the current fields by their names in the candidate
 * @returns fields by their names in the current schema, or in the candidate when only the candidate has them
 */
export function compareConditions(
  components: readonly SchemaComponent[],
  before: ReadonlyMap<string | null, SchemaComponent>,
  nameAfter: NameAfter,
): ConditionChange[] {
  return components.flatMap((component) => {
    const known = before.get(component.name)
    const conditions =
      known === undefined ? newConditions(component, before) : changedConditions(known, component, nameAfter)
    const options = changedOptions(known, component, nameAfter)
    return [...conditions, ...options].map((message) => [known?.name ?? component.name, message] as const)
  })
}

/** A new field has no values that a condition could hide or lock, but it can refuse updates of fields that clients know. */
function newConditions({ requiredWhen }: SchemaComponent, before: ReadonlyMap<string | null, unknown>): string[] {
  const isKnown = requiredWhen !== undefined && conditionFields(requiredWhen).some((field) => before.has(field))
  return isKnown ? [`Gets a requiredWhen; ${EFFECTS.requiredWhen}.`] : []
}

function changedConditions(before: SchemaComponent, after: SchemaComponent, nameAfter: NameAfter): string[] {
  const changed = (['lockedWhen', 'visibleWhen', 'requiredWhen'] as const)
    .filter((key) => isNewCondition(before[key], after[key], nameAfter))
    .map((key) => `${before[key] === undefined ? 'Gets a' : 'Changes its'} ${key}; ${EFFECTS[key]}.`)
  // A hidden field was not required. One that exists under the same condition is required no more often than before.
  const wasRequiredLess =
    losesVisibleWhen(before, after) && isNewCondition(before.visibleWhen, after.requiredWhen, nameAfter)
  if (!wasRequiredLess) return changed
  return [
    ...changed,
    'Loses its visibleWhen; while requiredWhen holds, updates without a value are refused where it was hidden, too.',
  ]
}

/** Whether a field that could be hidden always exists in the candidate. */
export const losesVisibleWhen = (before: SchemaComponent, after: SchemaComponent): boolean =>
  before.visibleWhen !== undefined && after.visibleWhen === undefined

function changedOptions(before: SchemaComponent | undefined, after: SchemaComponent, nameAfter: NameAfter): string[] {
  const known = new Map(before?.options?.map((option) => [option.value, option]))
  const changed = (after.options ?? [])
    .filter(({ value, when }) => known.has(value) && isNewCondition(known.get(value)?.when, when, nameAfter))
    .map(({ value }) => JSON.stringify(value))
  return changed.length === 0 ? [] : [`Options with a new or changed condition: ${changed.join(', ')}.`]
}

function isNewCondition(before: Condition | undefined, after: Condition | undefined, nameAfter: NameAfter): boolean {
  if (after === undefined) return false
  return before === undefined || JSON.stringify(renamed(before, nameAfter)) !== JSON.stringify(after)
}

/** The condition with the names that its fields have in the candidate. */
function renamed(condition: Condition, nameAfter: NameAfter): Condition {
  const parts = partsOf(condition)?.map((part) => renamed(part, nameAfter))
  if ('not' in condition) return { not: parts![0]! }
  if ('all' in condition) return { all: parts! }
  if ('any' in condition) return { any: parts! }
  const comparison: FieldCondition = condition
  return { ...comparison, field: nameAfter(comparison.field) ?? comparison.field }
}
