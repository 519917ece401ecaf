import { conditionFields } from '../../../contract/fields/conditions/compile-condition.ts'
import type { FieldCondition } from '../../../contract/fields/conditions/condition.ts'
import type { Condition, Draft, DraftField } from '../draft.ts'
import { isNote } from '../draft.ts'
import { mapComparisons, mapCondition, withOrWithout } from '../references.ts'
import type { Decisions } from './conflicts.ts'
import type { Sides } from './merge-fields.ts'
import type { Side } from './sides.ts'

/** What a field's values are, for comparing with them. */
const valuesOf = (field: DraftField | undefined): string | undefined =>
  field && `${field.type} ${field.rules?.['items'] ?? ''}`

/** Every comparison of a document with the values of the field that it reads. */
function comparisonsOf({ fields, sections, forms }: Side): Set<string> {
  const found = new Set<string>()
  const document: Draft = {
    fields: [...fields.values()],
    sections: [...sections.values()],
    forms: Object.fromEntries(forms),
    migrations: [],
  }
  mapComparisons(document, (comparison) => {
    found.add(JSON.stringify([comparison, valuesOf(fields.get(comparison.field))]))
    return comparison
  })
  return found
}

/**
 * What is left of a condition; undefined for nothing.
 * @param owner the field that has the condition; of a step `{}`
 * @param name what a notice calls the owner
 */
export type RepairCondition = (
  condition: Condition | undefined,
  owner: Partial<DraftField>,
  name: string,
) => Condition | undefined

/**
 * Removes from conditions what cannot be compared any more: one side reads a field that the other removed, retyped, or made
 * sensitive or a note, or the other made a note of the field that reads. A condition says so in a notice.
 */
export function repairConditions(
  decisions: Decisions,
  fields: ReadonlyMap<string, DraftField>,
  sides: Sides,
): RepairCondition {
  const known = new Set([...comparisonsOf(sides.mine), ...comparisonsOf(sides.theirs)])
  return (condition, owner, name) => {
    if (condition === undefined) return undefined
    const kept = mapCondition(condition, (comparison) => keep(comparison, owner))
    if (JSON.stringify(kept) !== JSON.stringify(condition)) {
      decisions.notices.push(`Left out of a condition of “${name}”: what it compares is gone or has other values.`)
    }
    return kept
  }

  function keep(comparison: FieldCondition, owner: Partial<DraftField>): FieldCondition | null {
    const read = fields.get(comparison.field)
    if (read === undefined || (read.sensitive === true && owner.sensitive !== true)) return null
    if (isNote(read) !== isNote(owner as DraftField)) return null
    if (!known.has(JSON.stringify([comparison, valuesOf(read)]))) return null
    if (read.options === undefined) return comparison
    const options = new Set(read.options.map(({ value }) => value))
    return withOptions(comparison, options)
  }
}

/** The comparison with values of options that exist; null when none is left. */
function withOptions(comparison: FieldCondition, options: ReadonlySet<string>): FieldCondition | null {
  const has = (value: unknown) => typeof value !== 'string' || options.has(value)
  if (!has(comparison.is) || !has(comparison.isNot)) return null
  for (const key of ['in', 'notIn'] as const) {
    const values = comparison[key]
    if (values === undefined) continue
    const left = values.filter(has)
    if (left.length === 0) return null
    if (left.length < values.length) return { ...comparison, [key]: left }
  }
  return comparison
}

/** The field with repaired conditions, also those of its options. */
export function repairField(field: DraftField, repair: RepairCondition): DraftField {
  const name = field.name
  let repaired = field
  for (const key of ['visibleWhen', 'requiredWhen', 'lockedWhen'] as const) {
    if (field[key] !== undefined) repaired = withOrWithout(repaired, key, repair(field[key], field, name))
  }
  if (!field.options?.some(({ when }) => when !== undefined)) return repaired
  const options = field.options.map((option) => withOrWithout(option, 'when', repair(option.when, field, name)))
  return { ...repaired, options }
}

/** Breaks cycles of fields that hide each other: conditions of theirs have none among themselves. */
export function breakCycles(decisions: Decisions, fields: Map<string, DraftField>, theirs: Side): void {
  for (let cycle = findCycle(fields); cycle !== null; cycle = findCycle(fields)) {
    const id = cycle.find((one) => isOwn(one)) ?? cycle[0]!
    const field = fields.get(id)!
    const condition = isOwn(id) ? theirs.fields.get(id)?.visibleWhen : undefined
    fields.set(id, withOrWithout(field, 'visibleWhen', condition))
    decisions.notices.push(
      `“${field.name}” is shown as in their version: with your condition, fields would hide each other.`,
    )
  }

  function isOwn(id: string): boolean {
    return JSON.stringify(fields.get(id)!.visibleWhen) !== JSON.stringify(theirs.fields.get(id)?.visibleWhen)
  }
}

function findCycle(fields: ReadonlyMap<string, DraftField>): string[] | null {
  const done = new Set<string>()
  const trail: string[] = []
  function visit(id: string): string[] | null {
    const condition = fields.get(id)?.visibleWhen
    if (condition === undefined || done.has(id)) return null
    const start = trail.indexOf(id)
    if (start >= 0) return trail.slice(start)
    trail.push(id)
    for (const read of conditionFields(condition)) {
      const cycle = visit(read)
      if (cycle !== null) return cycle
    }
    trail.pop()
    done.add(id)
    return null
  }
  for (const id of fields.keys()) {
    const cycle = visit(id)
    if (cycle !== null) return cycle
  }
  return null
}
