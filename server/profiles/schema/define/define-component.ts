import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { ComponentType } from '../../../../contract/profile-schema.ts'
import { fieldKinds, plannedTypes } from '../kinds.ts'
import type { SchemaComponent } from '../schema-component.ts'
import { refuseName } from '../schema-names.ts'
import { defineAccess, defineControl } from './define-access.ts'
import { defineMessages } from './define-messages.ts'
import { defineOptions, refuseTooLongClaims } from './define-options.ts'
import { defineRules } from './define-rules.ts'
import { defineText } from './define-text.ts'
import type { SchemaProblems } from './schema-problems.ts'

const KEYS = [
  'name',
  'type',
  'label',
  'description',
  'placeholder',
  'control',
  'messages',
  'required',
  'options',
  'rules',
  'writable',
  'writeOnce',
  'readable',
  'sensitive',
  'lockedWhen',
  'visibleWhen',
  'requiredWhen',
  'unique',
  'uniqueBy',
  'searchable',
  'claim',
  'claimFromUser',
]
/** Checked by `defineComponentConditions`, when all fields are known. */
const unchecked = { lockedWhen: undefined, visibleWhen: undefined, requiredWhen: undefined }
const LONGEST = { label: 200, description: 2000, placeholder: 200 }

/**
 * Checks one component of a schema and adds its name to `taken`. Problems are reported under `components.<name>`, or under
 * its index when the name is invalid or a duplicate. Null when the component has problems; without conditions.
 */
export function defineComponent(
  input: unknown,
  index: number,
  taken: Set<string>,
  problems: SchemaProblems,
): SchemaComponent | null {
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
  const messages = defineMessages(input['messages'], `${path}.messages`, problems)
  if (type === null) return null
  defineAccess(input, type, path, problems)
  defineControl(input['control'], type, `${path}.control`, problems)
  const options = defineOptions(input['options'], type, `${path}.options`, problems)
  if (input['claim'] === true) refuseTooLongClaims(options ?? [], `${path}.options`, problems)
  const rules = defineRules(input['rules'], type, options ?? [], `${path}.rules`, problems)
  return problems.count > before
    ? null
    : inContractOrder({ ...input, type, ...texts, messages, options, rules, ...unchecked })
}

/** A component's properties in the contract's order, without absent ones. */
export function inContractOrder(parts: Readonly<Record<string, unknown>>): SchemaComponent {
  const present = KEYS.map((key) => [key, parts[key]]).filter(([, value]) => value !== undefined)
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
