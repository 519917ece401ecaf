import type { FieldDetail } from './field-problem.ts'
import { RULE_NOT_MET } from './messages.ts'
import { ownValue } from './profile-values.ts'

/** In characters: an operator needs the beginning of a list of 200 countries, not all of it. */
const maxParameters = 80

interface RefusedFields {
  readonly validation?: Readonly<Record<string, string>> | undefined
  readonly details?: Readonly<Record<string, FieldDetail>> | undefined
}

/**
 * What is wrong with each refused field, for operators. Where the message names no rule, the rule of `details` is added:
 * `Validation rule not met (options: fr, de)`.
 */
export const messagesInWords = ({ validation = {}, details = {} }: RefusedFields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(validation).map(([field, message]) => [field, withRule(message, ownValue(details, field))]),
  )

/** The same in a line for each field: `country: Validation rule not met (options: fr, de)`. */
export const fieldsInWords = (refused: RefusedFields): string[] =>
  Object.entries(messagesInWords(refused)).map(([field, message]) => `${field}: ${message}`)

function withRule(message: string, detail: FieldDetail | undefined): string {
  if (detail === undefined || message !== RULE_NOT_MET) return message
  const { rule, ...parameters } = detail
  const text = Object.values(parameters).flat().join(', ')
  const shown = text.length > maxParameters ? `${text.slice(0, maxParameters)}…` : text
  return `${message} (${shown === '' ? rule : `${rule}: ${shown}`})`
}
