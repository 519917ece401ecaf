import { typeName } from '../../../../contract/fields/messages.ts'
import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { ProfileComponent, ProfileSchema, StoredProfileSchema } from '../../../../contract/profile-schema.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { refuseVersion } from '../schema-names.ts'
import { defineComponent } from './define-component.ts'
import { defineComponentConditions } from './define-component-conditions.ts'
import { conditionScope } from './define-conditions.ts'
import type { ComponentsByName } from './define-field-names.ts'
import { defineForms } from './define-forms.ts'
import { defineMigrations } from './define-migrations.ts'
import { definePresentation } from './define-presentation.ts'
import { refuseCostlyPatterns, refuseTooMany } from './define-totals.ts'
import { SchemaProblems } from './schema-problems.ts'

const MAX_COMPONENTS = 200
const KEYS = ['$schema', 'version', 'components', 'presentation', 'forms', 'migrations']

/** The schema every tenant is created with. */
export const emptyProfileSchema: ProfileSchema = { version: '1', components: [], presentation: [], forms: {} }

/**
 * Checks untrusted input as a profile schema to publish (threat A06) (threat E05) (threat E06). One without a version gets 1.
 *
 * @returns the schema in canonical form (properties in the contract's order, absent ones omitted), so that equal content
 *   serializes equally; or up to 100 problems: dotted path (`components.birthDate.rules.minAge`, or `components.3.name`
 *   when the name is invalid) → what is wrong and what to do.
 */
export function defineProfileSchema(
  input: unknown,
): { schema: StoredProfileSchema } | { validation: Record<string, string> } {
  if (!isRecord(input)) return { validation: { body: `Expected object, received ${typeName(input)}` } }
  const problems = new SchemaProblems()
  problems.refuseOtherKeys('', input, KEYS)
  const version = input['version'] ?? '1'
  const versionProblem = refuseVersion(version)
  if (versionProblem !== null) problems.add('version', versionProblem)
  const named = defineComponents(input['components'], problems)
  // Without components, every reference to one would be reported as unknown.
  if (named === null) return { validation: problems.toValidation() }
  const conditions = conditionScope(named, problems)
  const components = defineComponentConditions(input['components'], conditions)
  const presentation = definePresentation(input['presentation'], components, problems)
  const forms = defineForms(input['forms'], { ...conditions, components })
  const migrations = defineMigrations(input['migrations'], components, problems)
  const sound = [...components.values()].filter((component) => component !== null)
  refuseCostlyPatterns(sound, problems)
  refuseTooMany(sound, problems)
  if (problems.count > 0) return { validation: problems.toValidation() }
  const schema = {
    version: version as string,
    components: sound as ProfileComponent[],
    presentation,
    forms,
    migrations,
  }
  return { schema }
}

function defineComponents(input: unknown, problems: SchemaProblems): ComponentsByName | null {
  if (!Array.isArray(input) || input.length > MAX_COMPONENTS) {
    problems.add('components', `must be an array of at most ${MAX_COMPONENTS} components; use [] for no fields`)
    return null
  }
  const components = new Map<string, SchemaComponent | null>()
  const taken = new Set<string>()
  for (const [index, part] of input.entries()) {
    const component = defineComponent(part, index, taken, problems)
    // A component with problems keeps its name known, so that references to it are not reported as well.
    const name = isRecord(part) ? part['name'] : undefined
    if (typeof name === 'string' && !components.has(name)) components.set(name, component)
  }
  return components
}
