import { conditionFields } from '../../../../contract/fields/conditions/compile-condition.ts'
import type { ComponentsByName } from './define-field-names.ts'
import type { SchemaProblems } from './schema-problems.ts'

/** Refuses fields that decide about their own visibility through others. Each cycle is named once, with its whole path. */
export function refuseHidingCycles(components: ComponentsByName, problems: SchemaProblems): void {
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (name: string): void => {
    const condition = components.get(name)?.visibleWhen
    if (condition === undefined || done.has(name)) return
    const start = trail.indexOf(name)
    if (start >= 0) {
      const cycle = [...trail.slice(start), name].join(' → ')
      problems.add(`components.${name}.visibleWhen`, `cycle ${cycle}; remove one of these conditions`)
      return
    }
    trail.push(name)
    for (const field of conditionFields(condition)) if (field !== name) visit(field)
    trail.pop()
    done.add(name)
  }
  for (const name of components.keys()) visit(name)
}
