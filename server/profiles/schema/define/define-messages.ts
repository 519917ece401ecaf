import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { LocalizedText } from '../../../../contract/profile-schema.ts'
import { defineText } from './define-text.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_MESSAGES = 20
const MAX_LENGTH = 500
const RULE = /^[a-z][A-Za-z]{0,31}$/

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
    if (!RULE.test(rule)) problems.add(at(path, rule), 'not a rule; use the name of a rule, such as pattern')
    const checked = defineText(text, at(path, rule), MAX_LENGTH, problems)
    if (checked !== undefined) messages[rule] = checked
  }
  return messages
}
