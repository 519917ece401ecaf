import { type CompiledField, heldValue } from '../compiled-field.ts'
import type { FieldComponent } from '../field-component.ts'
import { type FieldDetail, type FieldProblem, notMet } from '../field-problem.ts'
import type { ProfileValues } from '../field-type.ts'
import type { JsonValue } from '../json-value.ts'
import { judgeUpdate, type UpdateBy } from '../judge-field.ts'
import { entriesWhere, isSameValue, ownValue } from '../profile-values.ts'
import { type CompiledCondition, compileCondition, type FieldReader } from './compile-condition.ts'
import { compileValueCheck, type ValueCheck } from './conditional-values.ts'
import { compileVisibility, type HiddenFields } from './visibility.ts'

/** An update judged with the conditions of its schema. */
export interface ConditionalUpdate {
  /** The values to store, null for fields that the update clears or hides. */
  readonly values: ProfileValues
  readonly problems: ReadonlyMap<string, FieldProblem>
  /** The fields that are hidden after the update. */
  readonly hidden: HiddenFields
}

/** The conditions of a schema, compiled. */
export interface FieldConditions {
  /** The fields of a stored profile that do not exist. */
  hidden(values: ProfileValues): HiddenFields
  /** The fields of a stored profile that must have a value, because their `requiredWhen` holds. */
  asked(values: ProfileValues): readonly string[]
  judge(update: Readonly<Record<string, unknown>>, by: UpdateBy): ConditionalUpdate
}

interface ConditionalField {
  readonly field: CompiledField
  readonly lockedWhen: CompiledCondition | undefined
  readonly checkValue: ValueCheck
}

/** An update while it is judged. */
interface Change {
  readonly update: Readonly<Record<string, unknown>>
  /** The stored values of fields that exist. */
  readonly before: ProfileValues
  readonly values: ProfileValues
  readonly problems: Map<string, FieldProblem>
  /** The fields that the update names with a valid value, or clears by hiding. */
  readonly changed: Set<string>
}

/** Compiles the conditions of a schema; null when it has none, so that its updates cost nothing more. */
export function compileConditions(
  components: readonly FieldComponent[],
  fields: ReadonlyMap<string, CompiledField>,
): FieldConditions | null {
  if (!components.some(isConditional)) return null
  const hiddenWhen = compileVisibility(components)
  const conditional = components.filter(isConditional).map((component) => compileField(component, fields))

  const readerOf = (values: ProfileValues, hidden?: HiddenFields): FieldReader => {
    return (name) => {
      const field = fields.get(name)
      return field === undefined || hidden?.has(name) ? null : heldValue(field, values)
    }
  }
  const hiddenIn = (values: ProfileValues) => hiddenWhen(readerOf(values))

  return {
    hidden: hiddenIn,
    asked(values) {
      const read = readerOf(values, hiddenIn(values))
      return conditional
        .filter(({ checkValue }) => checkValue(null, () => true, read, null) !== null)
        .map(({ field }) => field.name)
    },
    judge(update, by) {
      const stored = by.current ?? {}
      const before = withoutFields(stored, hiddenIn(stored))
      const values: ProfileValues = {}
      const problems = judgeUpdate(fields, update, { ...by, current: by.current && before }, values) ?? new Map()
      const readBefore = readerOf(before)
      const locked = conditional.filter((one) => protectionOf(one, readBefore, by)?.rule === 'lockedWhen')
      for (const { field } of locked) keepLocked(field, { update, before, values, problems })
      const hidden = hiddenIn({ ...before, ...values })
      const changed = new Set(Object.keys(values).filter((name) => !hidden.has(name)))
      const change: Change = { update, before, values, problems, changed }
      for (const one of conditional) {
        if (hidden.has(one.field.name)) hide(one.field, protectionOf(one, readBefore, by), change)
      }
      clearLeftovers(stored, change)
      const read = readerOf({ ...before, ...values }, hidden)
      const isChanged = (names: readonly string[]) => names.some((name) => changed.has(name))
      for (const one of conditional) {
        const { name } = one.field
        if (hidden.has(name) || problems.has(name)) continue
        // A client that cannot change a value is not refused for what was wrong with it before.
        const kept = protectionOf(one, readBefore, by) && readBefore
        const problem = one.checkValue(read(name), isChanged, read, kept)
        if (problem !== null) problems.set(name, problem)
      }
      return { values, problems, hidden }
    },
  }
}

const isConditional = ({ lockedWhen, visibleWhen, requiredWhen, options = [] }: FieldComponent): boolean =>
  [lockedWhen, visibleWhen, requiredWhen, ...options.map(({ when }) => when)].some((one) => one !== undefined)

function compileField(component: FieldComponent, fields: ReadonlyMap<string, CompiledField>): ConditionalField {
  const { name, lockedWhen } = component
  return {
    field: fields.get(name)!,
    lockedWhen: lockedWhen && compileCondition(lockedWhen),
    checkValue: compileValueCheck(component),
  }
}

const isSet = (values: ProfileValues, name: string): boolean => ownValue(values, name) != null

function withoutFields(values: ProfileValues, hidden: HiddenFields): ProfileValues {
  return hidden.size === 0 ? values : entriesWhere(values, (name) => !hidden.has(name))
}

/** Ignores what was sent for a hidden field, and clears its value unless the client may not change it. */
function hide(
  field: CompiledField,
  protection: FieldDetail | null,
  { before, values, problems, changed }: Change,
): void {
  const { name } = field
  problems.delete(name)
  delete values[name]
  if (isSet(before, name)) values[name] = null
  if (heldValue(field, before) === null) return
  changed.add(name)
  if (protection !== null) problems.set(name, notMet(protection))
}

/** Why the client cannot change the stored value of a field; null when it can, and for the operator. */
function protectionOf(
  { field: { name, writable, writeOnce }, lockedWhen }: ConditionalField,
  readBefore: FieldReader,
  by: UpdateBy,
): FieldDetail | null {
  if (by.operator) return null
  if (lockedWhen?.(readBefore)) return { rule: 'lockedWhen' }
  if (!writable) return { rule: 'writable' }
  return writeOnce && readBefore(name) !== null && !by.unproven?.includes(name) ? { rule: 'writeOnce' } : null
}

/**
 * Accepts the same value again, even if the rules have become stricter since it was stored. Another one is refused, and so
 * decides about no other field.
 */
function keepLocked(field: CompiledField, { update, before, values, problems }: Omit<Change, 'changed'>): void {
  const { name } = field
  const sent = field.writable ? (ownValue(update, name) as JsonValue | undefined) : undefined
  if (sent === undefined) return
  const held = heldValue(field, before)
  if (held !== null && isSameValue(held, sent)) {
    problems.delete(name)
    values[name] = held
  } else if (!problems.has(name) && !isSameValue(held, values[name])) {
    problems.set(name, notMet({ rule: 'lockedWhen' }))
    delete values[name]
  }
}

/** Clears what fields that were hidden before left in storage: it must not reappear when the field does. */
function clearLeftovers(stored: ProfileValues, { before, values }: Change): void {
  if (before === stored) return
  for (const name of Object.keys(stored)) {
    if (isSet(stored, name) && !isSet(before, name) && !Object.hasOwn(values, name)) values[name] = null
  }
}
