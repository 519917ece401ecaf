import type { FieldComponent } from '../field-component.ts'
import type { JsonValue } from '../json-value.ts'
import { type CompiledCondition, compileCondition, conditionFields, type FieldReader } from './compile-condition.ts'

/** The fields of a profile that do not exist, because their `visibleWhen` does not hold. */
export type HiddenFields = ReadonlySet<string>

/** Shared by all profiles of schemas without `visibleWhen`. */
export const noneHidden: HiddenFields = new Set()

/**
 * Compiles the `visibleWhen` of all components. A hidden field reads as null in the conditions of others, so each field is
 * decided after those that its condition reads.
 */
export function compileVisibility(components: readonly FieldComponent[]): (read: FieldReader) => HiddenFields {
  const conditions = inReadingOrder(components)
  if (conditions.length === 0) return () => noneHidden
  return (read) => {
    const hidden = new Set<string>()
    const readVisible = (field: string): JsonValue => (hidden.has(field) ? null : read(field))
    for (const [name, holds] of conditions) if (!holds(readVisible)) hidden.add(name)
    return hidden
  }
}

/** Depth first. The server publishes no cycles; here one would only end early. */
function inReadingOrder(components: readonly FieldComponent[]): (readonly [string, CompiledCondition])[] {
  const byName = new Map(components.map((component) => [component.name, component]))
  const ordered: (readonly [string, CompiledCondition])[] = []
  const visited = new Set<string>()
  const visit = ({ name, visibleWhen }: FieldComponent): void => {
    if (visibleWhen === undefined || visited.has(name)) return
    visited.add(name)
    for (const field of conditionFields(visibleWhen)) {
      const read = byName.get(field)
      if (read !== undefined) visit(read)
    }
    ordered.push([name, compileCondition(visibleWhen)])
  }
  for (const component of components) visit(component)
  return ordered
}
