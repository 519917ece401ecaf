import type { FieldTypeName } from '../draft.ts'
import type { RuleName } from './field-kinds.ts'

interface RuleTexts {
  readonly label: string
  readonly help?: string
  /** What holds without the rule. */
  readonly placeholder?: string
}

const labels: Readonly<Record<string, string>> = {
  ...{ minLength: 'At least, characters', maxLength: 'At most, characters', pattern: 'Pattern' },
  ...{ min: 'At least', max: 'At most', step: 'Step' },
  ...{ minAge: 'Youngest age, years', maxAge: 'Oldest age, years' },
  ...{ minItems: 'At least, items', maxItems: 'At most, items', items: 'Type of the items' },
  ...{ itemMinLength: 'An item has at least, characters', itemMaxLength: 'An item has at most, characters' },
  ...{ unique: 'No item twice', domains: 'Allowed domains', countries: 'Allowed countries', in: 'Allowed values' },
  ...{
    parts: 'Parts',
    requiredParts: 'Required parts',
    version: 'Version of the text',
    mustBeTrue: 'Must be accepted',
  },
} satisfies { readonly [Rule in RuleName]: string }

const help: Readonly<Record<string, string>> = {
  step: 'Values are multiples of it.',
  domains: 'Empty: all.',
  countries: 'Empty: all.',
  in: 'Empty: all.',
  version: 'A new version asks every user again.',
  mustBeTrue: 'The answer no is refused.',
}

const defaults: Readonly<Record<string, string>> = {
  ...{ minLength: '1', minItems: '0', itemMinLength: '1', itemMaxLength: '256', version: '2026-01' },
}

const maxLengths: Readonly<Partial<Record<FieldTypeName, string>>> = { text: '2048', multiline: '20000', name: '100' }
const moments: Readonly<Partial<Record<FieldTypeName, string>>> = {
  datetime: '2026-11-22T18:30:00Z',
  ...{ month: '2026-11', week: '2026-W47' },
}

/** The words beside the input of a rule. */
export function ruleTexts(type: FieldTypeName, rule: string): RuleTexts {
  const placeholder =
    rule === 'maxLength'
      ? maxLengths[type]
      : rule === 'maxItems' && type === 'list'
        ? '100'
        : rule === 'min' || rule === 'max'
          ? moments[type]
          : defaults[rule]
  return {
    label: rule === 'maxLength' && type === 'name' ? 'At most, characters of a part' : (labels[rule] ?? rule),
    ...(help[rule] !== undefined && { help: help[rule] }),
    ...(placeholder !== undefined && { placeholder }),
  }
}
