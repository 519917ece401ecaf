import type { Condition } from '../../../contract/fields/conditions/condition.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import type { SchemaComponent } from './schema-component.ts'

/**
 * Rules ACCESS-3 to ACCESS-11 as they read, without optimization. It shares nothing with `contract/fields/conditions`:
 * a test compares the two.
 */
interface SlowUpdate {
  readonly components: readonly SchemaComponent[]
  readonly stored: ProfileValues
  readonly update: ProfileValues
  readonly operator: boolean
  readonly unproven: readonly string[]
}

/** What becomes of each field: the rule that refuses it, `invalid` for its own rules, or the value to store. */
interface SlowVerdict {
  readonly refused: Record<string, string>
  readonly values: ProfileValues
}

type Read = (field: string) => JsonValue
type Profile = (field: string) => JsonValue

function holdsSlowly(condition: Condition, read: Read): boolean {
  if ('all' in condition) return !condition.all.some((part) => !holdsSlowly(part, read))
  if ('any' in condition) return condition.any.some((part) => holdsSlowly(part, read))
  if ('not' in condition) return !holdsSlowly(condition.not, read)
  const value = read(condition.field)
  const isOne = (wanted: JsonValue) =>
    Array.isArray(value) ? value.includes(wanted) : value !== null && value === wanted
  if (condition.set === true) return value !== null
  if (condition.set === false) return value === null
  if (condition.is !== undefined) return isOne(condition.is)
  if (condition.isNot !== undefined) return !isOne(condition.isNot)
  if (condition.in !== undefined) return condition.in.some(isOne)
  if (condition.notIn !== undefined) return !condition.notIn.some(isOne)
  const { min, max } = condition
  if (min !== undefined && !(typeof min === typeof value && value !== null && value >= min)) return false
  return max === undefined || (typeof max === typeof value && value !== null && value <= max)
}

/** Whether a field exists in a profile, and its value if it does. */
function existsSlowly(components: readonly SchemaComponent[], profile: Profile, name: string): boolean {
  const { visibleWhen } = components.find((one) => one.name === name)!
  return visibleWhen === undefined || holdsSlowly(visibleWhen, (other) => readSlowly(components, profile, other))
}

export function readSlowly(components: readonly SchemaComponent[], profile: Profile, name: string): JsonValue {
  return existsSlowly(components, profile, name) ? profile(name) : null
}

export function judgeSlowly({ components, stored, update, operator, unproven }: SlowUpdate): SlowVerdict {
  const storedValue: Profile = (name) => {
    const value = own(stored, name)
    return hasType(components.find((one) => one.name === name)!, value) ? value : null
  }
  const before: Read = (name) => readSlowly(components, storedValue, name)

  // Each sent value by itself.
  const problems = new Map<string, string>()
  const accepted = new Map<string, JsonValue>()
  const isLockedBefore = ({ lockedWhen }: SchemaComponent) =>
    !operator && lockedWhen !== undefined && holdsSlowly(lockedWhen, before)
  for (const component of components) {
    const { name } = component
    if (!Object.hasOwn(update, name) || (component.writable === false && !operator)) continue
    const problem = problemAlone(component, update[name]!, before(name), operator || unproven.includes(name))
    if (problem !== null) problems.set(name, problem)
    else if (isLockedBefore(component) && !isEqual(update[name]!, before(name))) problems.set(name, 'lockedWhen')
    else accepted.set(name, update[name]!)
  }

  const merged: Profile = (name) => (accepted.has(name) ? accepted.get(name)! : before(name))
  const after: Read = (name) => readSlowly(components, merged, name)
  const refused: Record<string, string> = {}
  const values: ProfileValues = {}
  const named = new Set<string>()

  for (const component of components) {
    const { name, writable, writeOnce } = component
    const was = before(name)
    const isLocked = isLockedBefore(component)
    const mayChange = operator || writable !== false
    if (!existsSlowly(components, merged, name)) {
      if (own(stored, name) !== null) values[name] = null
      if (was === null) continue
      named.add(name)
      if (isLocked) refused[name] = 'lockedWhen'
      else if (!mayChange) refused[name] = 'writable'
      else if (!operator && writeOnce && !unproven.includes(name)) refused[name] = 'writeOnce'
    } else if (isLocked && mayChange && was !== null && Object.hasOwn(update, name) && isEqual(update[name]!, was)) {
      values[name] = was
      named.add(name)
    } else if (problems.has(name)) {
      refused[name] = problems.get(name)!
    } else if (accepted.has(name)) {
      values[name] = accepted.get(name)!
      named.add(name)
    } else if (!existsSlowly(components, storedValue, name) && own(stored, name) !== null) {
      values[name] = null
    }
  }

  const isNamed = (condition: Condition, name: string) => [name, ...readBy(condition)].some((one) => named.has(one))
  for (const { name, requiredWhen, lockedWhen, writable, writeOnce, options = [] } of components) {
    if (!existsSlowly(components, merged, name) || Object.hasOwn(refused, name)) continue
    const value = after(name)
    const isFixed =
      !operator &&
      ((lockedWhen !== undefined && holdsSlowly(lockedWhen, before)) ||
        writable === false ||
        (writeOnce === true && before(name) !== null && !unproven.includes(name)))
    const isConcerned = (condition: Condition, of: string) =>
      isNamed(condition, of) && !(isFixed && holdsSlowly(condition, before) === holdsSlowly(condition, after))
    if (requiredWhen && value === null && isConcerned(requiredWhen, name) && holdsSlowly(requiredWhen, after)) {
      refused[name] = 'requiredWhen'
    }
    for (const option of options) {
      const isChosen = Array.isArray(value) ? value.includes(option.value) : value === option.value
      if (!isChosen || option.when === undefined || !isConcerned(option.when, name)) continue
      if (!holdsSlowly(option.when, after)) refused[name] = 'options'
    }
  }
  return { refused, values }
}

function problemAlone(component: SchemaComponent, value: JsonValue, was: JsonValue, isFree: boolean): string | null {
  if (component.writeOnce && !isFree && was !== null) {
    if (isEqual(value, was)) return null
    return value === null || isValid(component, value) ? 'writeOnce' : 'invalid'
  }
  if (value === null) return component.required ? 'required' : null
  return isValid(component, value) ? null : 'invalid'
}

function readBy(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(readBy)
  if ('any' in condition) return condition.any.flatMap(readBy)
  return 'not' in condition ? readBy(condition.not) : [condition.field]
}

/** A field may be called `toString`. */
const own = (values: ProfileValues, name: string): JsonValue => (Object.hasOwn(values, name) ? values[name]! : null)
const isEqual = (one: JsonValue, other: JsonValue) => JSON.stringify(one) === JSON.stringify(other)

function hasType({ type }: SchemaComponent, value: JsonValue): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'multiselect') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  return typeof value === 'string'
}

/** The rules of the types that the test uses. */
function isValid(component: SchemaComponent, value: JsonValue): boolean {
  const { type, rules = {}, options = [] } = component
  if (!hasType(component, value)) return false
  const isOption = (item: unknown) => options.some((option) => option.value === item)
  if (type === 'text') return value !== '' && String(value).length <= Number(rules['maxLength'] ?? 2048)
  if (type === 'integer') return Number(value) >= Number(rules['min'] ?? value)
  if (type === 'date') return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)$/.test(String(value))
  if (type === 'select') return isOption(value)
  if (type !== 'multiselect') return true
  const items = value as string[]
  return items.every(isOption) && new Set(items).size === items.length
}
