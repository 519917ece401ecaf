/** A problem for the author of a template: says what to change and contains no value. */
export class TemplateProblem extends Error {
  override name = 'TemplateProblem'
}

/** The allowed tags and filters as shown in messages. */
interface Allowed {
  readonly allowedTags: readonly string[]
  readonly allowedFilters: readonly string[]
}

/** Tags that only occur inside or at the end of another tag. */
const innerTags = /^(?:end\w+|else|elsif|when)$/
/** The longest quote of a template in a message. */
const LONGEST_QUOTE = 80

/** A quote of a template, shortened if it is long. */
export const quote = (text: string): string => (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text)

/** The Liquid engine's error as a problem. */
export function explain(error: unknown, allowed: Allowed): TemplateProblem {
  if (error instanceof TemplateProblem) return error
  const raw = error instanceof Error ? error.message : ''
  const [, complaint = '', line = ''] = /^([\s\S]*?)(?:, line:(\d+), col:\d+)?$/.exec(raw) ?? []
  return new TemplateProblem(line === '' ? inWords(complaint, allowed) : `Line ${line}: ${inWords(complaint, allowed)}`)
}

function inWords(complaint: string, { allowedTags, allowedFilters }: Allowed): string {
  const [, tag] = /^tag "(.*)" not found$/s.exec(complaint) ?? []
  if (tag !== undefined && innerTags.test(tag))
    return `{% ${quote(tag)} %} belongs to no tag before it: open one or remove it`
  if (tag !== undefined) return `{% ${quote(tag)} %} cannot be used here. These tags can: ${allowedTags.join(', ')}`
  const [, filter] = /^undefined filter: (.*)$/s.exec(complaint) ?? []
  if (filter !== undefined)
    return `There is no filter ${quote(filter)} here, and HTML is escaped without one. There are: ${allowedFilters.join(', ')}`
  const [, variable] = /^undefined variable: (.*)$/s.exec(complaint) ?? []
  if (variable !== undefined) return `There is no variable ${quote(variable)}`
  if (complaint.endsWith('limit exceeded')) return 'Make it shorter and simpler: too much comes out'
  if (complaint.includes('call stack')) return 'Make it simpler: it is nested too deeply'
  const [, open] = /^(?:tag|output|raw) (.*) not closed$/s.exec(complaint) ?? []
  if (open !== undefined) return `Close ${quote(open)}: its end is missing`
  return `This is not Liquid: ${quote(complaint)}`
}
