import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { maskRecipient } from './mask.ts'
import type { ClaimedMessage } from './outbox.ts'
import type { RenderedMessage } from './provider.ts'
import { templateKindOf } from './templates/message-kinds.ts'
import { renderMessage } from './templates/render-message.ts'

/** A message ready to send. */
interface ComposedMessage {
  readonly rendered: RenderedMessage
  /** Whether the tenant's template failed and the built-in text took its place. */
  readonly fallback: boolean
}

/** Renders a claimed message with the tenant's templates, or the built-in texts. */
export function composeMessage(
  message: ClaimedMessage,
  code: string | null,
  { tenant, configuration }: TenantSnapshot,
): ComposedMessage {
  const { id, tenantId, kind, otpId, scope, deliveryMethod: method, recipient, createdAt, expiresAt } = message
  const { templates, defaultLocale, webOtpDomain, from } = configuration.delivery
  const textKind = templateKindOf(message)
  if (textKind === null) throw new Error('A message of a one-time password has no scope')
  const content = renderMessage({
    kind: textKind,
    method,
    locale: message.locale ?? 'en',
    values: {
      code,
      minutes: code === null || kind !== 'otp' ? null : (expiresAt - createdAt) / 60_000,
      id: code === null || kind === 'otp' ? null : otpId,
      hours: code === null || kind === 'otp' ? null : (expiresAt - createdAt) / 3_600_000,
      tenant: tenant.name,
      recipient: maskRecipient(method, recipient),
    },
    tenantTemplates: templates ?? null,
    tenantDefaultLocale: defaultLocale ?? null,
    webOtpDomain: webOtpDomain ?? null,
  })
  const { subject, text, locale, fallback } = content
  const rendered = {
    id,
    tenantId,
    kind,
    scope,
    method,
    recipient,
    locale,
    subject,
    text,
    get html() {
      return content.html
    },
    from: from ? { address: from.address, name: from.name ?? null } : null,
    createdAt,
  }
  return { rendered, fallback }
}
