import type { DeliveryTemplates, TemplateKind } from '../../../contract/delivery-templates.ts'
import { compileTemplate, type TemplatePart } from './liquid-engine.ts'
import { carriesCode, templateKinds } from './message-kinds.ts'
import { quote, TemplateProblem } from './template-problem.ts'
import { LONGEST_VALUE, type MessageValues, oneLine, variablesFor } from './template-values.ts'

/** More messages than this help nobody. */
const MOST_PROBLEMS = 100

/** Codes no style sheet contains by chance, as `0000` would be in `#000000`. */
const samples: readonly (MessageValues & { readonly domain: string | null })[] = [
  { code: '482913', minutes: 10, tenant: 'Example', recipient: 'j***@e***.com', domain: 'app.example.com' },
  { code: '7305', minutes: 1, tenant: 'E', recipient: '+33******78', domain: null },
  // The longest there is: a template that passes with it never grows too long later.
  {
    code: '9182736450',
    minutes: 60,
    tenant: '"'.repeat(LONGEST_VALUE),
    recipient: `j***@e***.${'x'.repeat(63)}`,
    domain: `${'x'.repeat(60)}.`.repeat(4).concat('example'),
  },
]

/**
 * Judges a tenant's templates when they are saved: each is read, and filled with samples.
 * @param templates of the shape `DeliveryTemplates`.
 * @param path what the keys begin with.
 * @returns dotted path (`templates.otp_signin.email.de.text`) to what to do, in plain words; empty when all is well.
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
    for (const sample of samples) {
      const output = template.render({ ...sample, kind, locale })
      if (part !== 'subject' && carriesCode(kind) && !output.includes(sample.code!))
        return 'Put {{ code }} where everybody gets it: without it this message is worth nothing'
      if (oneLine(output) === '') return 'Write something: nothing comes out'
    }
    return null
  } catch (error) {
    if (error instanceof TemplateProblem) return error.message
    throw error
  }
}
