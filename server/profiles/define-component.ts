import { ComponentType, type ProfileComponent } from '../../contract/profile-schema.ts'
import { defineOptions } from './define-options.ts'
import { defineRules } from './define-rules.ts'
import { defineText } from './define-text.ts'
import { fieldKinds, plannedTypes } from './kinds.ts'
import { refuseName } from './schema-names.ts'
import { isRecord, type SchemaProblems } from './schema-problems.ts'

const KEYS = [
  'name',
  'type',
  'label',
  'description',
  'placeholder',
  'required',
  'options',
  'rules',
  'writable',
  'writeOnce',
]
const LONGEST = { label: 200, description: 2000, placeholder: 200 }

/**
 * Checks one component of a schema and adds its name to `taken`. Problems are reported under `components.<name>`, or under
 * its index when the name is invalid or a duplicate. Null when the component has problems.
 */
export function defineComponent(
  input: unknown,
  index: number,
  taken: Set<string>,
  problems: SchemaProblems,
): ProfileComponent | null {
  if (!isRecord(input)) {
    problems.add(`components.${index}`, 'must be an object such as {"name": "firstName", "type": "text"}')
    return null
  }
  const before = problems.count
  const path = definePath(input['name'], index, taken, problems)
  problems.refuseOtherKeys(path, input, KEYS)
  const type = defineType(input['type'], `${path}.type`, problems)
  const texts = {
    label: defineText(input['label'], `${path}.label`, LONGEST.label, problems),
    description: defineText(input['description'], `${path}.description`, LONGEST.description, problems),
    placeholder: defineText(input['placeholder'], `${path}.placeholder`, LONGEST.placeholder, problems),
  }
  for (const key of ['required', 'writable', 'writeOnce']) {
    const value = input[key]
    if (value !== undefined && typeof value !== 'boolean')
      problems.add(`${path}.${key}`, 'must be true or false; omit it for the default')
  }
  if (type === null) return null
  const options = defineOptions(input['options'], type, `${path}.options`, problems)
  const rules = defineRules(input['rules'], type, options ?? [], `${path}.rules`, problems)
  return problems.count > before ? null : component(input, { type, ...texts, options, rules })
}

/** The component's properties in the contract's order, without absent ones. */
function component(input: Record<string, unknown>, checked: Partial<ProfileComponent>): ProfileComponent {
  const parts = { ...input, ...checked }
  const present = KEYS.map((key) => [key, parts[key as keyof typeof parts]]).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present)
}

/** Checks the name and returns the path for the component's problems. */
function definePath(name: unknown, index: number, taken: Set<string>, problems: SchemaProblems): string {
  const place = `components.${index}`
  const problem = refuseName(name)
  if (problem !== null) {
    problems.add(`${place}.name`, problem)
    return place
  }
  if (taken.has(name as string)) {
    problems.add(`${place}.name`, `duplicate name "${name}"; component names must be unique`)
    return place
  }
  taken.add(name as string)
  return `components.${name}`
}

function defineType(type: unknown, path: string, problems: SchemaProblems): ComponentType | null {
  if (typeof type === 'string' && Object.hasOwn(fieldKinds, type)) return type as ComponentType
  const instead = typeof type === 'string' ? plannedTypes.get(type) : undefined
  const problem = type === undefined ? 'missing type' : 'unknown type'
  const allowed = ComponentType.options.join(', ')
  problems.add(
    path,
    instead ? `type "${type}" is not supported yet; ${instead}` : `${problem}; allowed types: ${allowed}`,
  )
  return null
}
