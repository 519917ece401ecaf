import { fitsClaim, MAX_CLAIM_BYTES } from '../../../../contract/fields/claim-value.ts'
import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { isLongerThan, isSoundText } from '../../../../contract/fields/sound-text.ts'
import type { ComponentOption, ComponentType } from '../../../../contract/profile-schema.ts'
import { fieldKinds } from '../kinds.ts'
import { defineText } from './define-text.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_OPTIONS = 500
const MAX_VALUE_LENGTH = 128
const MAX_LABEL_LENGTH = 200

/** Checks the options of a component: 1 to 500 with unique values where its type has options, absent where not. */
export function defineOptions(
  input: unknown,
  type: ComponentType,
  path: string,
  problems: SchemaProblems,
): ComponentOption[] | undefined {
  if (!fieldKinds[type].takesOptions) {
    if (input !== undefined)
      problems.add(path, `${type} fields have no options; remove them, or use type select or multiselect`)
    return undefined
  }
  if (!Array.isArray(input) || input.length === 0) {
    problems.add(path, `missing options; add at least one, such as {"value": "fr", "label": "France"}`)
    return undefined
  }
  if (input.length > MAX_OPTIONS) {
    problems.add(path, `${input.length} options; at most ${MAX_OPTIONS} are allowed, use type text for more`)
    return undefined
  }
  const taken = new Set<unknown>()
  return input.map((option, index) => defineOption(option, `${path}.${index}`, taken, problems))
}

/** Checks one option and adds its value to `taken`; the result is valid only when no problem was added. */
function defineOption(input: unknown, path: string, taken: Set<unknown>, problems: SchemaProblems): ComponentOption {
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"value": "fr", "label": "France"}')
    return { value: '' }
  }
  const { value, label } = input
  problems.refuseOtherKeys(path, input, ['value', 'label', 'when'])
  if (typeof value !== 'string' || value === '' || isLongerThan(value, MAX_VALUE_LENGTH) || !isSoundText(value)) {
    problems.add(`${path}.value`, `must be a string of 1 to ${MAX_VALUE_LENGTH} characters without NUL`)
  } else if (taken.has(value)) {
    problems.add(`${path}.value`, `duplicate value "${value}"; option values must be unique`)
  }
  taken.add(value)
  const words = defineText(label, `${path}.label`, MAX_LABEL_LENGTH, problems)
  return { value: value as string, ...(words !== undefined && { label: words }) }
}

/** Every update that chooses such an option of a claim would be refused (AUTH-11). */
export function refuseTooLongClaims(options: readonly ComponentOption[], path: string, problems: SchemaProblems): void {
  for (const [index, { value }] of options.entries()) {
    if (fitsClaim(value)) continue
    problems.add(
      `${path}.${index}.value`,
      `a claim has at most ${MAX_CLAIM_BYTES} bytes; shorten it, or remove "claim"`,
    )
  }
}
