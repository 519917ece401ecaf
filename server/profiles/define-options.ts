import type { ComponentOption, ComponentType } from '../../contract/profile-schema.ts'
import { isSoundText } from '../../contract/text.ts'
import { defineText } from './define-text.ts'
import { fieldKinds } from './kinds.ts'
import { isRecord, type SchemaProblems } from './schema-problems.ts'
import { isLongerThan } from './text-length.ts'

const MAX_OPTIONS = 500
const MAX_VALUE_LENGTH = 128
const MAX_LABEL_LENGTH = 200

/** Checks the options of a component: 1 to 500 with values of their own where its type takes any, absent where not. */
export function defineOptions(
  input: unknown,
  type: ComponentType,
  path: string,
  problems: SchemaProblems,
): ComponentOption[] | undefined {
  if (!fieldKinds[type].takesOptions) {
    if (input !== undefined)
      problems.add(path, `are not for type ${type}; remove them, or make it select or multiselect`)
    return undefined
  }
  if (!Array.isArray(input) || input.length === 0) {
    problems.add(path, `are missing; give a ${type} at least one, such as {"value": "fr", "label": "France"}`)
    return undefined
  }
  if (input.length > MAX_OPTIONS) {
    problems.add(path, `are ${input.length}, more than ${MAX_OPTIONS}; use fewer, or type text`)
    return undefined
  }
  const taken = new Set<unknown>()
  return input.map((option, index) => defineOption(option, `${path}.${index}`, taken, problems))
}

/** Checks one option and takes its value; the answer is only used when there was no problem. */
function defineOption(input: unknown, path: string, taken: Set<unknown>, problems: SchemaProblems): ComponentOption {
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"value": "fr", "label": "France"}')
    return { value: '' }
  }
  const { value, label } = input
  problems.refuseOtherKeys(path, input, ['value', 'label'])
  if (typeof value !== 'string' || value === '' || isLongerThan(value, MAX_VALUE_LENGTH) || !isSoundText(value)) {
    problems.add(`${path}.value`, `must be a text of 1 to ${MAX_VALUE_LENGTH} characters, without NUL`)
  } else if (taken.has(value)) {
    problems.add(`${path}.value`, 'is the value of an option before it; give each its own')
  }
  taken.add(value)
  const words = defineText(label, `${path}.label`, MAX_LABEL_LENGTH, problems)
  return { value: value as string, ...(words !== undefined && { label: words }) }
}
