import { z } from 'zod'
import { OtpScope } from './otp.ts'
import { text } from './text.ts'

/** A security notice: a way to sign in was added, changed or removed, or the account was deleted. */
export const NoticeKind = z.enum([
  'identity_added',
  'identity_removed',
  'password_added',
  'password_changed',
  'email_changed',
  'phone_changed',
  'account_deleted',
])
export type NoticeKind = z.infer<typeof NoticeKind>

/** What a message is about: the purpose of its code, or a notice. */
export const TemplateKind = z.enum([...OtpScope.options, ...NoticeKind.options])
export type TemplateKind = z.infer<typeof TemplateKind>

const LONGEST_TAG = 35
const MOST_LOCALES = 50

/**
 * A BCP 47 language tag in its canonical spelling, extensions dropped: `EN-us` → `en-US`, `iw` → `he`.
 * @returns null for what is none, is longer than 35 characters, or names no language (`und`, `*`).
 */
export function canonicalLocale(tag: string): string | null {
  const known = canonicalLocales.get(tag)
  if (known !== undefined) return known
  const canonical = readLocale(tag)
  // Whoever sends ever new tags makes room for the usual ones again.
  if (canonicalLocales.size === mostRemembered) canonicalLocales.clear()
  if (tag.length <= LONGEST_TAG) canonicalLocales.set(tag, canonical)
  return canonical
}

/** Reading a tag costs 2 µs, and messages know few of them. */
const canonicalLocales = new Map<string, string | null>()
const mostRemembered = 1_000

function readLocale(tag: string): string | null {
  if (tag.length > LONGEST_TAG || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(tag)) return null
  try {
    const { baseName } = new Intl.Locale(tag)
    return /^und\b/.test(baseName) ? null : baseName
  } catch {
    return null
  }
}

/** One spelling a locale: two templates for one language would make it a matter of luck which is sent. */
const byLocale = <T extends z.ZodType>(template: T) =>
  z
    .record(z.string(), template)
    .superRefine((templates, context) => {
      const locales = Object.keys(templates)
      if (locales.length > MOST_LOCALES)
        context.addIssue({ code: 'custom', message: `Keep to ${MOST_LOCALES} locales at most` })
      for (const locale of locales) {
        const canonical = canonicalLocale(locale)
        if (canonical === locale) continue
        const message =
          canonical === null
            ? 'Expected a language tag such as en, pt-BR or zh-Hant'
            : `Write this locale as ${canonical}`
        context.addIssue({ code: 'custom', path: [locale], message })
      }
    })
    .describe('By language tag, BCP 47: `de`, `pt-BR`, `zh-Hant`.')

/** Characters a tenant's template may have. */
export const templateLimits = { subject: 200, text: 10_000, html: 100_000, sms: 1_000 } as const

/** An e-mail in Liquid. Without `html`, the text is laid out in the service's own HTML. */
export const EmailTemplate = z.strictObject({
  subject: text({ max: templateLimits.subject }),
  text: text({ max: templateLimits.text }),
  html: text({ max: templateLimits.html }).optional(),
})
export type EmailTemplate = z.infer<typeof EmailTemplate>

/** A text message in Liquid. */
export const SmsTemplate = z.strictObject({ text: text({ max: templateLimits.sms }) })
export type SmsTemplate = z.infer<typeof SmsTemplate>

const TemplatesOfKind = z.strictObject({
  email: byLocale(EmailTemplate).optional(),
  sms: byLocale(SmsTemplate).optional(),
})

/**
 * A tenant's own texts, in its `delivery` module; what is missing is sent in the built-in words. The Liquid inside is
 * judged by `server/delivery/templates/check-templates.ts`.
 */
export const DeliveryTemplates = z.strictObject({
  email_verification: TemplatesOfKind.optional(),
  phone_verification: TemplatesOfKind.optional(),
  reset_password: TemplatesOfKind.optional(),
  otp_signin: TemplatesOfKind.optional(),
  identity_added: TemplatesOfKind.optional(),
  identity_removed: TemplatesOfKind.optional(),
  password_added: TemplatesOfKind.optional(),
  password_changed: TemplatesOfKind.optional(),
  email_changed: TemplatesOfKind.optional(),
  phone_changed: TemplatesOfKind.optional(),
  account_deleted: TemplatesOfKind.optional(),
} satisfies Record<TemplateKind, unknown>)
export type DeliveryTemplates = z.infer<typeof DeliveryTemplates>
