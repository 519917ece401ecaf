import type { FieldDetail } from './field-problem.ts'
import { RULE_NOT_MET } from './messages.ts'

/** In characters: an operator needs the beginning of a list of 200 countries, not all of it. */
const maxParameters = 80

/**
 * The message of a refused field, for operators. Where it names no rule, the rule of `details` is added:
 * `Validation rule not met (options: fr, de)`.
 */
export function withRule(message: string, detail: FieldDetail | undefined): string {
  if (detail === undefined || message !== RULE_NOT_MET) return message
  const { rule, ...parameters } = detail
  const text = Object.values(parameters).flat().join(', ')
  const shown = text.length > maxParameters ? `${text.slice(0, maxParameters)}…` : text
  return `${message} (${shown === '' ? rule : `${rule}: ${shown}`})`
}
