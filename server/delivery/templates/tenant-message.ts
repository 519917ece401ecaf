import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import type { DeliveryTemplates, EmailTemplate, SmsTemplate } from '../../../contract/tenants/delivery-templates.ts'
import { compiledTemplates } from './compiled-templates.ts'
import { htmlLayout } from './html-layout.ts'
import type { TemplatePart } from './liquid-engine.ts'
import { lookupOrder } from './locale.ts'
import type { MessageContent } from './message-content.ts'
import { TemplateProblem } from './template-problem.ts'
import { clip, containsEntries, oneLine, type TemplateVariables } from './template-values.ts'

/** Longer subjects are cut; no inbox shows more. */
const LONGEST_SUBJECT = 200

/** A tenant's template and its locale. */
type TenantTemplate =
  | { readonly method: 'email'; readonly locale: string; readonly template: EmailTemplate }
  | { readonly method: 'sms'; readonly locale: string; readonly template: SmsTemplate }

/** The tenant's template for the locale, its language, the tenant's default locale, or the language of that. */
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
 * Renders a tenant's template.
 * @throws TemplateProblem, also when the output lacks a code or an id that the recipient must enter
 */
export function renderTenantTemplate(found: TenantTemplate, variables: TemplateVariables): MessageContent {
  const { locale } = found
  const fill = (source: string, part: TemplatePart) => compiledTemplates.get(source, part).render(variables)
  const body = (source: string, part: TemplatePart) => requireEntries(fill(source, part), variables)
  if (found.method === 'sms') return { subject: null, text: tidy(body(found.template.text, 'sms')), html: null, locale }

  const subject = clip(oneLine(fill(found.template.subject, 'subject')), LONGEST_SUBJECT)
  if (subject === '') throw new TemplateProblem('Write a subject: nothing comes out')
  const text = `${tidy(body(found.template.text, 'text'))}\n`
  const html =
    found.template.html === undefined ? layOut(text, subject, locale, variables) : body(found.template.html, 'html')
  return { subject, text, html, locale }
}

function requireEntries(output: string, variables: TemplateVariables): string {
  if (output.trim() === '') throw new TemplateProblem('Write something: nothing comes out')
  if (!containsEntries(output, variables)) throw new TemplateProblem('The code or its id is not in it')
  return output
}

const tidy = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** A plain text in the built-in layout. A paragraph that is just the code or the id is shown in a box. */
function layOut(text: string, subject: string, locale: string, { tenant, code, id }: TemplateVariables): string {
  const block = (paragraph: string) => {
    const entry = paragraph.trim()
    if (entry === code) return { code }
    return entry === id ? { reference: id } : { text: paragraph }
  }
  const blocks = text
    .trim()
    .split(/\n(?:[ \t]*\n)+/)
    .map(block)
  return htmlLayout({ locale, subject, preheader: null, tenant, heading: subject, blocks })
}
