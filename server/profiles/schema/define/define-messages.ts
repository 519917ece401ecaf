import type { FieldDetail } from '../../../../contract/fields/field-problem.ts'
import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { LocalizedText } from '../../../../contract/profile-schema.ts'
import { defineText } from './define-text.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_MESSAGES = 20
const MAX_LENGTH = 500

/** Every rule that `error.details` can name. */
const rules: { readonly [Rule in FieldDetail['rule']]: true } = {
  ...{ type: true, characters: true, format: true, required: true, requiredWhen: true },
  ...{ minLength: true, maxLength: true, itemMinLength: true, itemMaxLength: true, pattern: true },
  ...{ minItems: true, maxItems: true, uniqueItems: true, items: true, requiredParts: true },
  ...{ min: true, max: true, step: true, minAge: true, maxAge: true, mustBeTrue: true, version: true },
  ...{ domains: true, countries: true, in: true, options: true },
  ...{ unique: true, writeOnce: true, lockedWhen: true, writable: true },
}

/** Checks a component's own sentences for violated rules: rule of `error.details` → text. */
export function defineMessages(
  input: unknown,
  path: string,
  problems: SchemaProblems,
): Record<string, LocalizedText> | undefined {
  if (input === undefined) return undefined
  if (!isRecord(input) || Object.keys(input).length > MAX_MESSAGES) {
    problems.add(
      path,
      `must be an object of at most ${MAX_MESSAGES} rules with a text each, such as {"pattern": "Letters only"}`,
    )
    return undefined
  }
  const messages: Record<string, LocalizedText> = {}
  for (const [rule, text] of Object.entries(input)) {
    if (!Object.hasOwn(rules, rule)) {
      problems.add(at(path, rule), `error.details names no such rule; rules: ${Object.keys(rules).join(', ')}`)
    }
    const checked = defineText(text, at(path, rule), MAX_LENGTH, problems)
    if (checked !== undefined) messages[rule] = checked
  }
  return messages
}
