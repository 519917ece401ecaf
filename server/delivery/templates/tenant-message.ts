import type { DeliveryTemplates, EmailTemplate, SmsTemplate } from '../../../contract/delivery-templates.ts'
import type { DeliveryMethod } from '../../../contract/otp.ts'
import { type CompiledTemplates, compiledTemplates } from './compiled-templates.ts'
import { htmlLayout } from './html-layout.ts'
import type { TemplatePart } from './liquid-engine.ts'
import { lookupOrder } from './locale.ts'
import { carriesCode } from './message-kinds.ts'
import type { RenderedParts } from './rendered-message.ts'
import { TemplateProblem } from './template-problem.ts'
import { clip, oneLine, type TemplateVariables } from './template-values.ts'

/** Longer ones are cut; no inbox shows as much. */
const LONGEST_SUBJECT = 200

/** A tenant's own text for a message, with the locale it is filed under. */
export type TenantTemplate =
  | { readonly method: 'email'; readonly locale: string; readonly template: EmailTemplate }
  | { readonly method: 'sms'; readonly locale: string; readonly template: SmsTemplate }

/** The tenant's text for the locale, else for its language, else for the tenant's default locale or its language. */
export function findTenantTemplate(
  templates: DeliveryTemplates,
  { kind, method }: { readonly kind: TemplateVariables['kind']; readonly method: DeliveryMethod },
  locales: readonly string[],
): TenantTemplate | null {
  const byLocale = templates[kind]?.[method] ?? {}
  const locale = locales.flatMap(lookupOrder).find((candidate) => Object.hasOwn(byLocale, candidate))
  if (locale === undefined) return null
  return { method, locale, template: byLocale[locale] } as TenantTemplate
}

/**
 * Fills a tenant's own text.
 * @throws TemplateProblem, also when a code that should be in it is not: without it the message is worth nothing.
 */
export function renderTenantTemplate(
  found: TenantTemplate,
  variables: TemplateVariables,
  compiled: CompiledTemplates = compiledTemplates,
): RenderedParts {
  const { locale } = found
  const fill = (source: string, part: TemplatePart) => compiled.get(source, part).render(variables)
  const body = (source: string, part: TemplatePart) => requireCode(fill(source, part), variables)
  if (found.method === 'sms') return { subject: null, text: tidy(body(found.template.text, 'sms')), html: null, locale }

  const subject = clip(oneLine(fill(found.template.subject, 'subject')), LONGEST_SUBJECT)
  if (subject === '') throw new TemplateProblem('Write a subject: nothing comes out')
  const text = `${tidy(body(found.template.text, 'text'))}\n`
  const html =
    found.template.html === undefined ? layOut(text, subject, locale, variables) : body(found.template.html, 'html')
  return { subject, text, html, locale }
}

function requireCode(output: string, { kind, code }: TemplateVariables): string {
  if (output.trim() === '') throw new TemplateProblem('Write something: nothing comes out')
  if (carriesCode(kind) && !(code !== null && output.includes(code))) throw new TemplateProblem('The code is not in it')
  return output
}

const tidy = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** A text alone, in the service's layout: its paragraphs, with the code large where it stands on a line of its own. */
function layOut(text: string, subject: string, locale: string, { tenant, code }: TemplateVariables): string {
  const blocks = text
    .trim()
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => (paragraph.trim() === code ? { code } : { text: paragraph }))
  return htmlLayout({ locale, subject, preheader: null, tenant, heading: subject, blocks })
}
