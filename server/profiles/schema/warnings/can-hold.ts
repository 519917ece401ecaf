import { compileCondition, partsOf } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { Condition, FieldCondition } from '../../../../contract/fields/conditions/condition.ts'
import { fieldTypes } from '../../../../contract/fields/field-types.ts'
import type { JsonValue } from '../../../../contract/fields/json-value.ts'
import type { ProfileSchema } from '../../../../contract/profile-schema.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { conditionsOf } from './conditions-of.ts'

/** Values compared for one schema, at most: about 20 milliseconds. After that every condition counts as one that can hold. */
const MOST_COMPARED = 200_000

/** A condition that is to hold, or not to hold. */
interface Goal {
  readonly condition: Condition
  readonly holds: boolean
}

/** The values that fields may still have, where goals have ruled some out. */
type Narrowed = ReadonlyMap<string, readonly JsonValue[]>

/**
 * Whether conditions of a schema can all hold for one profile. A false answer is certain, whatever the rules of its fields are
 * or were: it needs comparisons that contradict each other, or one that needs a value of a field that is then hidden.
 */
export function canHoldIn(schema: ProfileSchema): (...conditions: readonly (Condition | undefined)[]) => boolean {
  const byName = new Map<string, SchemaComponent>(schema.components.map((component) => [component.name, component]))
  const domains = domainsOf(schema, byName)
  let left = MOST_COMPARED

  function areReachable([goal, ...others]: readonly Goal[], narrowed: Narrowed): boolean {
    if (goal === undefined || left <= 0) return true
    const { condition, holds } = goal
    if ('not' in condition) return areReachable([{ condition: condition.not, holds: !holds }, ...others], narrowed)
    const parts = partsOf(condition)?.map((part) => ({ condition: part, holds }))
    if (parts === undefined) return areReachableAfter(condition as FieldCondition, holds, others, narrowed)
    if ('all' in condition === holds) return areReachable([...parts, ...others], narrowed)
    return parts.some((part) => areReachable([part, ...others], narrowed))
  }

  function areReachableAfter(
    comparison: FieldCondition,
    holds: boolean,
    others: readonly Goal[],
    narrowed: Narrowed,
  ): boolean {
    const { field } = comparison
    const possible = narrowed.get(field) ?? domains.get(field)
    if (possible === undefined) return areReachable(others, narrowed)
    left -= possible.length
    const test = compileCondition(comparison)
    const kept = possible.filter((value) => test(() => value) === holds)
    if (kept.length === 0) return false
    // A hidden field reads as null.
    const visibleWhen = kept.includes(null) ? undefined : byName.get(field)?.visibleWhen
    const implied =
      visibleWhen === undefined || !possible.includes(null) ? [] : [{ condition: visibleWhen, holds: true }]
    return areReachable([...others, ...implied], new Map(narrowed).set(field, kept))
  }

  return (...conditions) => {
    const goals = conditions.filter((condition) => condition !== undefined)
    return areReachable(
      goals.map((condition) => ({ condition, holds: true })),
      new Map(),
    )
  }
}

/**
 * For each field with single values, one value of every kind that the conditions of the schema distinguish: unset, equal to a
 * comparand, and others. Fields with several values have none here: each comparison may hold for another item.
 */
function domainsOf(
  schema: ProfileSchema,
  byName: ReadonlyMap<string, SchemaComponent>,
): ReadonlyMap<string, readonly JsonValue[]> {
  const comparands = new Map<string, Set<JsonValue>>([...byName.keys()].map((name) => [name, new Set()]))
  const collect = (condition: Condition): void => {
    const parts = partsOf(condition)
    for (const part of parts ?? []) collect(part)
    if (parts !== null) return
    const { field, is, isNot, in: among = [], notIn = [], min, max } = condition as FieldCondition
    for (const value of [is, isNot, ...among, ...notIn, min, max]) {
      if (value !== undefined) comparands.get(field)?.add(value)
    }
  }
  for (const { condition } of conditionsOf(schema)) collect(condition)
  const domains = new Map<string, readonly JsonValue[]>()
  for (const [name, { type }] of byName) {
    const domain = domainOf(type, [...comparands.get(name)!])
    if (domain !== undefined) domains.set(name, domain)
  }
  return domains
}

function domainOf(type: SchemaComponent['type'], comparands: readonly JsonValue[]): readonly JsonValue[] | undefined {
  // Of a consent, `accepted` is compared.
  if (type === 'boolean' || type === 'consent') return [null, true, false]
  const { expects } = fieldTypes[type]
  // The empty text comes before all others, and a text with NUL directly after the one without.
  if (expects === 'string') return [null, '', ...comparands.flatMap((value) => [value, `${value}\0`])]
  if (expects !== 'number' && expects !== 'integer') return undefined
  const numbers = [
    -Number.MAX_VALUE,
    ...(comparands as number[]).toSorted((one, other) => one - other),
    Number.MAX_VALUE,
  ]
  return [null, ...numbers.flatMap((value, index) => [value, (value + (numbers[index + 1] ?? value)) / 2])]
}
