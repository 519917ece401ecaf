import { fieldKinds } from '../kinds.ts'
import { MAX_MATCHING_STEPS, matchingSteps } from '../pattern.ts'
import type { SchemaComponent } from '../schema-component.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_PATTERNS = 50
const MAX_SEARCHABLE = 10
const MAX_CLAIMS = 5

/** Limits what a schema may have of a kind altogether. */
export function refuseTooMany(components: readonly SchemaComponent[], problems: SchemaProblems): void {
  for (const { name } of components.filter(({ searchable }) => searchable).slice(MAX_SEARCHABLE)) {
    const problem = `too many searchable fields; a schema can have ${MAX_SEARCHABLE}, remove some`
    problems.add(`components.${name}.searchable`, problem)
  }
  for (const { name } of components.filter(({ claim }) => claim).slice(MAX_CLAIMS)) {
    problems.add(`components.${name}.claim`, `too many claims; a schema can have ${MAX_CLAIMS}, remove some`)
  }
}

/** Limits the matching cost of all patterns together, because one update can match all of them (threat E05). */
export function refuseCostlyPatterns(components: readonly SchemaComponent[], problems: SchemaProblems): void {
  let steps = 0
  let patterns = 0
  for (const { name, type, rules = {} } of components) {
    const { pattern } = rules
    if (typeof pattern !== 'string') continue
    patterns++
    const characters = fieldKinds[type].matchedCharacters?.(rules) ?? 0
    const own = patterns <= MAX_PATTERNS ? matchingSteps(pattern, characters) : 0
    steps += own
    const path = `components.${name}.rules.pattern`
    if (patterns > MAX_PATTERNS) {
      problems.add(path, `too many patterns; a schema can have ${MAX_PATTERNS}, use other rules or type select`)
    } else if (own > 0 && steps > MAX_MATCHING_STEPS) {
      const share = Math.ceil((100 * own) / MAX_MATCHING_STEPS)
      problems.add(
        path,
        `the schema's patterns together exceed the matching cost of one update (this one uses ${share} % of it); start it with ^, simplify it, or lower maxLength, itemMaxLength or maxItems`,
      )
    }
  }
}
