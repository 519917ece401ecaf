import { ownValue } from '../../contract/fields/profile-values.ts'
import type { DeliveryMethod, DeliveryModule, MessagePreview, TemplateKind } from '../../packages/client/src/admin.ts'

export type Templates = NonNullable<DeliveryModule['templates']>
export type TemplatePart = 'subject' | 'text' | 'html'
/** The source of a message in one language. SMS have a text alone. */
export type OwnTemplate = Readonly<Partial<Record<TemplatePart, string>>>

/** Which template is edited. */
export interface TemplatePlace {
  readonly kind: TemplateKind
  readonly channel: DeliveryMethod
  readonly language: string
}

/** Languages that the server has texts in. */
export const builtInLanguages = ['en', 'de', 'fr', 'es', 'vi', 'ja'] as const

export const languagesOf = (templates: Templates, { kind, channel }: TemplatePlace): string[] =>
  Object.keys(templates[kind]?.[channel] ?? {})

/** The language comes from the address, where it can be `constructor`. */
export const templateAt = (templates: Templates, { kind, channel, language }: TemplatePlace): OwnTemplate | undefined =>
  ownValue(templates[kind]?.[channel] ?? {}, language)

/** The templates with one of them replaced, or removed; nothing empty is left. */
export function withTemplate(
  templates: Templates,
  { kind, channel, language }: TemplatePlace,
  template: OwnTemplate | undefined,
): Templates | undefined {
  const ofLanguages = replaced(templates[kind]?.[channel], language, template)
  const ofChannels = replaced(templates[kind], channel, ofLanguages)
  return replaced(templates, kind, ofChannels) as Templates | undefined
}

function replaced(members: object | undefined, name: string, value: unknown): object | undefined {
  const { [name]: _before, ...others } = (members ?? {}) as Readonly<Record<string, unknown>>
  const all = value === undefined ? others : { ...members, [name]: value }
  return Object.keys(all).length === 0 ? undefined : all
}

/** What a preview shows in place of the values of a message. */
export interface SampleValues {
  readonly tenant: string
  readonly ttlSeconds: number | undefined
}

/**
 * A template to begin with: the text that is sent now, with variables in place of the sample values. In a notice the code is
 * the undo code.
 */
export function templateFrom({ subject, text }: MessagePreview, { tenant, ttlSeconds }: SampleValues): OwnTemplate {
  const minutes = ttlSeconds === undefined ? null : Math.max(1, Math.floor(ttlSeconds / 60))
  const source = (rendered: string): string => {
    // First, because a name can have the digits of the others.
    const withTenant = tenant === '' ? rendered : rendered.replaceAll(tenant, '{{ tenant }}')
    const withCode = withTenant.replace(/\b4829\d{0,6}\b/g, '{{ code }}')
    const withId = withCode.replaceAll('01JZ8Q4W6N3T5V7X9Y2B4C6D8E', '{{ id }}')
    return minutes === null ? withId : withId.replace(new RegExp(`\\b${minutes}\\b`, 'g'), '{{ minutes }}')
  }
  return { ...(subject !== null && { subject: source(subject) }), text: source(text) }
}

/** The variables that a template of this kind may use. */
export function variablesOf(kind: TemplateKind): string[] {
  const isChange = kind === 'email_changed' || kind === 'phone_changed'
  const isCode = ['otp_signin', 'reset_password', 'email_verification', 'phone_verification'].includes(kind)
  const own = isCode ? ['code', 'minutes'] : isChange ? ['code', 'id', 'hours'] : []
  return [...own, 'tenant', 'recipient', 'locale', 'kind', 'domain']
}
