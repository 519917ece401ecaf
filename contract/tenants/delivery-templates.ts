import { z } from 'zod'
import { OtpScope } from '../accounts/otp.ts'
import { text } from '../text.ts'

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

/** The kind of a message: the purpose of its code, or a notice. */
export const TemplateKind = z.enum([...OtpScope.options, ...NoticeKind.options])
export type TemplateKind = z.infer<typeof TemplateKind>

const LONGEST_TAG = 35
const MOST_LOCALES = 50

/**
 * A BCP 47 language tag in its canonical spelling, extensions dropped: `EN-us` → `en-US`, `iw` → `he`.
 * @returns null if the tag is malformed, longer than 35 characters, or names no language (`und`, `*`).
 */
export function canonicalLocale(tag: string): string | null {
  const known = canonicalLocales.get(tag)
  if (known !== undefined) return known
  const canonical = readLocale(tag)
  // Bounds the cache against clients that send ever new tags; the usual ones are soon cached again.
  if (canonicalLocales.size === mostRemembered) canonicalLocales.clear()
  if (tag.length <= LONGEST_TAG) canonicalLocales.set(tag, canonical)
  return canonical
}

/** A cache: parsing a tag takes 2 µs, and few different ones occur. */
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

/** Requires the canonical spelling, so that no language has two templates. */
const byLocale = <T extends z.ZodType>(template: T) =>
  z
    .record(z.string(), template)
    .superRefine((templates, context) => {
      const locales = Object.keys(templates)
      if (locales.length > MOST_LOCALES)
        context.addIssue({ code: 'custom', message: `At most ${MOST_LOCALES} locales are allowed` })
      for (const locale of locales) {
        const canonical = canonicalLocale(locale)
        if (canonical === locale) continue
        const message =
          canonical === null
            ? 'Expected a language tag such as en, pt-BR or zh-Hant'
            : `Use the canonical tag ${canonical}`
        context.addIssue({ code: 'custom', path: [locale], message })
      }
    })
    .describe('Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`.')

/** Maximum characters of a tenant's templates. */
export const templateLimits = { subject: 200, text: 10_000, html: 100_000, sms: 1_000 } as const

/** An e-mail template in Liquid. Without `html`, the text is placed in the built-in HTML layout. */
export const EmailTemplate = z.strictObject({
  subject: text({ max: templateLimits.subject }),
  text: text({ max: templateLimits.text }),
  html: text({ max: templateLimits.html }).optional(),
})
export type EmailTemplate = z.infer<typeof EmailTemplate>

/** An SMS template in Liquid. */
export const SmsTemplate = z.strictObject({ text: text({ max: templateLimits.sms }) })
export type SmsTemplate = z.infer<typeof SmsTemplate>

const TemplatesOfKind = z.strictObject({
  email: byLocale(EmailTemplate).optional(),
  sms: byLocale(SmsTemplate).optional(),
})

/**
 * A tenant's templates, in its `delivery` module; the built-in texts are used where one is missing. The Liquid code is
 * validated by `server/delivery/templates/check-templates.ts`.
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
