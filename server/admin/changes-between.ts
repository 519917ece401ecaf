import { canonicalJson } from '../core/canonical-json.ts'
import type { Fact } from '../events/event.ts'

/** The members whose values differ, with both values; null when none does. */
export function changesBetween<T extends object>(before: T, after: T): NonNullable<Fact['changes']> | null {
  const names = Object.keys(after) as (keyof T & string)[]
  const changed = names.filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }]))
}
