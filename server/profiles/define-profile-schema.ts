import type { ProfileComponent, ProfileSchema, StoredProfileSchema } from '../../contract/profile-schema.ts'
import { typeName } from '../../contract/validation-messages.ts'
import { defineComponent } from './define-component.ts'
import { type ComponentsByName, defineForms, definePresentation } from './define-layout.ts'
import { defineMigrations } from './define-migrations.ts'
import { fieldKinds } from './kinds.ts'
import { MAX_MATCHING_STEPS } from './pattern.ts'
import { refuseVersion } from './schema-names.ts'
import { isRecord, SchemaProblems } from './schema-problems.ts'

const MAX_COMPONENTS = 200
const MAX_PATTERNS = 50
const KEYS = ['version', 'components', 'presentation', 'forms', 'migrations']

/** The schema every tenant is created with (design 3). */
export const emptyProfileSchema: ProfileSchema = { version: '1', components: [], presentation: [], forms: {} }

/**
 * Checks a profile schema that is to be published (design 7, threats A06, E05, E06), whatever was handed in.
 *
 * @param numbered the version it gets when it names none.
 * @returns the schema in a settled form (parts in the contract's order, unset ones left out), so that the same content is
 *   the same text; or everything that is wrong with it: dotted path (`components.birthDate.rules.minAge`, or
 *   `components.3.name` where there is no good name) → what is wrong and what to do. At most 100 problems are told.
 */
export function defineProfileSchema(
  input: unknown,
  numbered = '1',
): { schema: StoredProfileSchema } | { validation: Record<string, string> } {
  if (!isRecord(input)) return { validation: { body: `Expected object, received ${typeName(input)}` } }
  const problems = new SchemaProblems()
  problems.refuseOtherKeys('', input, KEYS)
  const version = input['version'] ?? numbered
  const versionProblem = refuseVersion(version)
  if (versionProblem !== null) problems.add('version', versionProblem)
  const components = defineComponents(input['components'], problems)
  const presentation = definePresentation(input['presentation'], components, problems)
  const forms = defineForms(input['forms'], components, problems)
  const migrations = defineMigrations(input['migrations'], components, problems)
  const sound = [...components.values()].filter((component) => component !== null)
  refuseCostlyPatterns(sound, problems)
  if (problems.count > 0) return { validation: problems.toValidation() }
  return { schema: { version: version as string, components: sound, presentation, forms, migrations } }
}

function defineComponents(input: unknown, problems: SchemaProblems): ComponentsByName {
  if (!Array.isArray(input) || input.length > MAX_COMPONENTS) {
    problems.add('components', `must be a list of at most ${MAX_COMPONENTS} components; an empty list for no fields`)
    return new Map()
  }
  const components = new Map<string, ProfileComponent | null>()
  const taken = new Set<string>()
  for (const [index, part] of input.entries()) {
    const component = defineComponent(part, index, taken, problems)
    // A component with problems is known by its name, so that what refers to it is not told off as well.
    const name = isRecord(part) ? part['name'] : undefined
    if (typeof name === 'string' && !components.has(name)) components.set(name, component)
  }
  return components
}

/** Each pattern is bounded by itself; here all of them together, since one update can ask for all of them (threat E05). */
function refuseCostlyPatterns(components: readonly ProfileComponent[], problems: SchemaProblems): void {
  let steps = 0
  let patterns = 0
  for (const { name, type, rules = {} } of components) {
    if (rules['pattern'] === undefined) continue
    patterns++
    const own = patterns <= MAX_PATTERNS ? (fieldKinds[type].matchingSteps?.(rules) ?? 0) : 0
    steps += own
    const path = `components.${name}.rules.pattern`
    if (patterns > MAX_PATTERNS) {
      problems.add(path, `is one pattern more than the ${MAX_PATTERNS} a schema can have; use other rules or select`)
    } else if (own > 0 && steps > MAX_MATCHING_STEPS) {
      const share = Math.ceil((100 * own) / MAX_MATCHING_STEPS)
      problems.add(
        path,
        `takes the schema's patterns beyond what one update may cost (its own share is ${share} %); start it with ^, simplify it, or lower maxLength, itemMaxLength or maxItems`,
      )
    }
  }
}
