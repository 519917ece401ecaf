import type { DeliveryTemplates, TemplateKind } from '../../../contract/tenants/delivery-templates.ts'
import { compileTemplate, type TemplatePart } from './liquid-engine.ts'
import { carriesCode, mayCarryUndo, templateKinds } from './message-kinds.ts'
import { quote, TemplateProblem } from './template-problem.ts'
import { containsEntries, LONGEST_VALUE, type MessageValues, oneLine, variablesFor } from './template-values.ts'

/** More problems than this are not reported. */
const MOST_PROBLEMS = 100

type Sample = MessageValues & { readonly domain: string | null }

/** Codes that do not occur in a style sheet by chance, as `0000` would in `#000000`. */
const samples: readonly Sample[] = [
  {
    code: '482913',
    minutes: 10,
    id: '01JZ8Q4W6N3T5V7X9Y2B4C6D8E',
    hours: 72,
    tenant: 'Example',
    recipient: 'j***@e***.com',
    domain: 'app.example.com',
  },
  {
    code: '7305',
    minutes: 1,
    id: '7ZZZZZZZZZ0123456789ABCDEF',
    hours: 1,
    tenant: 'E',
    recipient: '+33******78',
    domain: null,
  },
  // The longest possible value, so that a template that passes never becomes too long.
  {
    code: '9182736450',
    minutes: 60,
    id: '01KA9R5X7P4V6W8Y0Z3C5D7F9G',
    hours: 72,
    tenant: '"'.repeat(LONGEST_VALUE),
    recipient: `j***@e***.${'x'.repeat(63)}`,
    domain: `${'x'.repeat(60)}.`.repeat(4).concat('example'),
  },
]

/** A notice without an undo code. */
const withoutCode = samples.map((sample): Sample => ({ ...sample, code: null, minutes: null, id: null, hours: null }))

/** Sample values for the kind: with and without a code where it is optional. */
function samplesFor(kind: TemplateKind): readonly Sample[] {
  if (carriesCode(kind)) return samples
  return mayCarryUndo(kind) ? [...samples, ...withoutCode] : withoutCode
}

/**
 * Validates a tenant's templates when they are saved: parses each and renders it with sample values.
 * @param path the prefix of the keys
 * @returns a message by dotted path (`templates.otp_signin.email.de.text`); empty for valid templates
 */
export function checkTemplates(templates: DeliveryTemplates, path = 'templates'): Record<string, string> {
  const problems: [string, string][] = []
  for (const { kind, locale, part, source, at } of partsOf(templates)) {
    if (problems.length >= MOST_PROBLEMS) break
    const problem = problemOf(source, part, kind, locale)
    if (problem !== null) problems.push([`${path}.${at}`, problem])
  }
  return Object.fromEntries(problems)
}

interface Part {
  readonly kind: TemplateKind
  readonly locale: string
  readonly part: TemplatePart
  readonly source: string
  readonly at: string
}

function* partsOf(templates: DeliveryTemplates): Generator<Part> {
  for (const kind of templateKinds) {
    for (const [locale, { subject, text, html }] of Object.entries(templates[kind]?.email ?? {})) {
      const at = `${kind}.email.${locale}`
      yield { kind, locale, part: 'subject', source: subject, at: `${at}.subject` }
      yield { kind, locale, part: 'text', source: text, at: `${at}.text` }
      if (html !== undefined) yield { kind, locale, part: 'html', source: html, at: `${at}.html` }
    }
    for (const [locale, { text }] of Object.entries(templates[kind]?.sms ?? {}))
      yield { kind, locale, part: 'sms', source: text, at: `${kind}.sms.${locale}.text` }
  }
}

function problemOf(source: string, part: TemplatePart, kind: TemplateKind, locale: string): string | null {
  try {
    const template = compileTemplate(source, part)
    const allowed: readonly string[] = variablesFor(kind)
    for (const variable of template.variables())
      if (!allowed.includes(variable))
        return `There is no variable ${quote(variable)} for ${kind}. There are: ${allowed.join(', ')}`
    for (const sample of samplesFor(kind)) {
      const variables = { ...sample, kind, locale }
      const output = template.render(variables)
      if (part !== 'subject' && !containsEntries(output, variables))
        return carriesCode(kind)
          ? 'Put {{ code }} where every recipient gets it; without the code this message is useless'
          : 'Show {{ code }} and {{ id }} whenever there is a code: {% if code %}…{{ code }}…{{ id }}…{% endif %}'
      if (oneLine(output) === '') return 'Write something: nothing comes out'
    }
    return null
  } catch (error) {
    if (error instanceof TemplateProblem) return error.message
    throw error
  }
}
