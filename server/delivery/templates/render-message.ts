import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import {
  canonicalLocale,
  type DeliveryTemplates,
  type TemplateKind,
} from '../../../contract/tenants/delivery-templates.ts'
import { builtInMessage } from './built-in-message.ts'
import type { MessageContent } from './message-content.ts'
import { carriesCode } from './message-kinds.ts'
import { cleanValues, type MessageValues, oneLine, type TemplateVariables } from './template-values.ts'
import { findTenantTemplate, renderTenantTemplate } from './tenant-message.ts'
import { withWebOtpLine } from './web-otp.ts'

export interface MessageRequest {
  readonly kind: TemplateKind
  readonly method: DeliveryMethod
  /** As returned by `chooseLocale`. */
  readonly locale: string
  readonly values: MessageValues
  /** The tenant's templates, validated by `checkTemplates` when saved; null without any. */
  readonly tenantTemplates: DeliveryTemplates | null
  /** The tenant's default locale. A tenant's text in it is preferred to a built-in text in the recipient's language. */
  readonly tenantDefaultLocale?: string | null
  /** The site where the code is entered; null if the tenant has not configured it. */
  readonly webOtpDomain: string | null
}

interface RenderedContent extends MessageContent {
  /** Whether the tenant's template failed and the built-in text was used. */
  readonly fallback: boolean
}

/**
 * Renders a message with the first available text: the tenant's for the locale, for its language, for the tenant's default
 * locale, the built-in one in the language, or English. Never throws, because a code must arrive.
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

/** null when the tenant has no template for the message. */
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
