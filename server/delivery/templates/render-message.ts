import { canonicalLocale, type DeliveryTemplates, type TemplateKind } from '../../../contract/delivery-templates.ts'
import type { DeliveryMethod } from '../../../contract/otp.ts'
import { builtInMessage } from './built-in-message.ts'
import type { MessageContent } from './message-content.ts'
import { carriesCode } from './message-kinds.ts'
import { cleanValues, type MessageValues, oneLine, type TemplateVariables } from './template-values.ts'
import { findTenantTemplate, renderTenantTemplate } from './tenant-message.ts'
import { withWebOtpLine } from './web-otp.ts'

/** What is to be said to whom. */
export interface MessageRequest {
  readonly kind: TemplateKind
  readonly method: DeliveryMethod
  /** As `chooseLocale` gives it. */
  readonly locale: string
  readonly values: MessageValues
  /** The tenant's own texts, checked by `checkTemplates` when they were saved; null when it has none. */
  readonly tenantTemplates: DeliveryTemplates | null
  /** The tenant's default locale: its text in it is preferred to a built-in one in the recipient's language. */
  readonly tenantDefaultLocale?: string | null
  /** The site the code is entered at; null when the tenant has not set it. */
  readonly webOtpDomain: string | null
}

/** A message as it is sent. */
export interface RenderedContent extends MessageContent {
  /** The tenant's own text failed, and the built-in one took its place. */
  readonly fallback: boolean
}

/**
 * Puts a message into words: the tenant's for the locale, else for its language, else for the tenant's default locale,
 * else the built-in ones of the language, else English. Never throws: a code must arrive.
 */
export function renderMessage(request: MessageRequest): RenderedContent {
  const { kind, method, webOtpDomain } = request
  const locale = canonicalLocale(request.locale) ?? 'en'
  const values = cleanValues(request.values)
  const own = renderOwn(request, {
    ...values,
    kind,
    locale,
    domain: webOtpDomain === null ? null : oneLine(webOtpDomain),
  })
  const parts = own === null || own === 'failed' ? builtInMessage(kind, method, locale, values) : own
  const text =
    method === 'sms' && carriesCode(kind) && values.code !== null
      ? withWebOtpLine(parts.text, webOtpDomain, values.code)
      : parts.text
  const { subject, locale: language } = parts
  return {
    subject,
    text,
    get html() {
      return parts.html
    },
    locale: language,
    fallback: own === 'failed',
  }
}

/** Null when the tenant has no text for it. */
function renderOwn(
  { tenantTemplates, tenantDefaultLocale, kind, method }: MessageRequest,
  variables: TemplateVariables,
): MessageContent | 'failed' | null {
  if (tenantTemplates === null) return null
  const byDefault = canonicalLocale(tenantDefaultLocale ?? '')
  const locales = byDefault === null ? [variables.locale] : [variables.locale, byDefault]
  const found = findTenantTemplate(tenantTemplates, { kind, method }, locales)
  if (found === null) return null
  try {
    return renderTenantTemplate(found, variables)
  } catch {
    return 'failed'
  }
}
