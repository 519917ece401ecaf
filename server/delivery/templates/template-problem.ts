/** What is wrong with a template, in words for whoever wrote it: what to do, and no value in it. */
export class TemplateProblem extends Error {
  override name = 'TemplateProblem'
}

/** What a template may use, for the messages. */
export interface Allowed {
  readonly allowedTags: readonly string[]
  readonly allowedFilters: readonly string[]
}

/** Tags that only stand inside or at the end of another one. */
const innerTags = /^(?:end\w+|else|elsif|when)$/
/** A quoted piece of a template longer than this explains nothing. */
const LONGEST_QUOTE = 80

/** A piece of a template for a message, its beginning if it is long. */
export const quote = (text: string): string => (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text)

/** The Liquid engine's complaint as a problem. */
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
  if (complaint.endsWith('limit exceeded')) return 'Make it shorter and simpler: too much comes out, or too slowly'
  if (complaint.includes('call stack')) return 'Make it simpler: it is nested too deeply'
  const [, open] = /^(?:tag|output|raw) (.*) not closed$/s.exec(complaint) ?? []
  if (open !== undefined) return `Close ${quote(open)}: its end is missing`
  return `This is not Liquid: ${quote(complaint)}`
}
