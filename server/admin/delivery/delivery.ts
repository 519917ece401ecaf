import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import type * as operations from '../../../contract/admin/delivery.ts'
import type { TemplateKind } from '../../../contract/tenants/delivery-templates.ts'
import type { Handler } from '../../core/handler.ts'
import { ulid } from '../../core/ids.ts'
import { composeMessage } from '../../delivery/compose-message.ts'
import { maskRecipient } from '../../delivery/mask.ts'
import { undoCodeLength, undoSeconds } from '../../delivery/notice.ts'
import type { ClaimedMessage } from '../../delivery/outbox.ts'
import { destinationProblem } from '../../delivery/sms-destination.ts'
import { checkTemplates } from '../../delivery/templates/check-templates.ts'
import { availableLocales, chooseLocale } from '../../delivery/templates/locale.ts'
import { carriesCode, mayCarryUndo } from '../../delivery/templates/message-kinds.ts'
import { record } from '../../events/record.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** Cut to the length of the tenant's codes. It cannot be verified, because it does not belong to a one-time password. */
const sampleCode = '4829137506'
/** The id in a sample with an undo code; not the id of any one-time password. */
const sampleOtpId = '01JZ8Q4W6N3T5V7X9Y2B4C6D8E'
const defaultLength = 6
const defaultTtlSeconds = 600
const sampleRecipients = { email: 'jane@example.com', sms: '+33612345678' } as const

/** The message to compose as a sample. */
interface SampleRequest {
  readonly kind: TemplateKind
  readonly method: DeliveryMethod
  readonly to: string
  readonly locale: string | undefined
  /** Whether a notice of a changed address includes an undo code. */
  readonly undo: boolean
}

/** `POST /admin/tenants/{t}/delivery/preview`: a rendered message, by the stored templates or those in the body. */
export const previewMessage: Handler<typeof operations.previewMessage> = async (
  { params, body: { kind, method, locale, undo, templates } },
  { now, refuse },
  { storage, snapshots },
) => {
  const problems = checkTemplates(templates ?? {})
  if (Object.keys(problems).length > 0) throw refuse('VALIDATION_ERROR', { validation: problems })
  const stored = await snapshots.of((await getManagedTenant(storage, params.tenantId, refuse)).tenant)
  const tenant = templates === undefined ? stored : withTemplates(stored, templates)
  const { rendered, fallback } = composeSample(
    { kind, method, to: sampleRecipients[method], locale, undo },
    tenant,
    now,
  )
  const { subject, text, html } = rendered
  return { subject, text, html, locale: rendered.locale, fallback }
}

/**
 * `POST /admin/tenants/{t}/delivery/test`: sends a message with a sample code, in production through the tenant's
 * senders, elsewhere into the testing channel.
 */
export const sendTestMessage: Handler<typeof operations.sendTestMessage> = async (
  { params, body: { kind, method, to, locale, sender } },
  call,
  { snapshots, storage, testMessages },
) => {
  const { now, refuse } = call
  const { tenant: managed, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const tenant = await snapshots.of(managed)
  const forbidden = destinationProblem(method, to, tenant)
  if (forbidden !== null) return { delivered: false, sender: null, problem: forbidden, attempts: [] }
  const { message, code, rendered } = composeSample({ kind, method, to, locale, undo: true }, tenant, now)
  // Recorded first: a message that left cannot be taken back.
  await stores.write((tx) =>
    record(tx, call, {
      type: 'message.tested',
      subject: { kind: 'message', id: message.id },
      details: { kind, deliveryMethod: method },
      changes: { recipient: { after: maskRecipient(method, to) } },
    }),
  )
  return testMessages.send({ message, code, rendered, tenant }, sender ?? null, now)
}

function withTemplates(
  snapshot: TenantSnapshot,
  templates: NonNullable<TenantSnapshot['configuration']['delivery']['templates']>,
): TenantSnapshot {
  const { configuration } = snapshot
  return { ...snapshot, configuration: { ...configuration, delivery: { ...configuration.delivery, templates } } }
}

/** A message as the outbox worker composes it, with a one-time password that does not exist. */
function composeSample({ kind, method, to, locale, undo }: SampleRequest, tenant: TenantSnapshot, now: number) {
  const { delivery, otp } = tenant.configuration
  const carriesUndo = undo && mayCarryUndo(kind)
  const ttlSeconds = carriesUndo ? undoSeconds : (otp?.ttlSeconds ?? defaultTtlSeconds)
  const message: ClaimedMessage = {
    id: ulid(now),
    tenantId: tenant.tenant.id,
    kind: carriesCode(kind) ? 'otp' : kind,
    otpId: carriesUndo ? sampleOtpId : null,
    scope: carriesCode(kind) ? kind : null,
    userId: null,
    deliveryMethod: method,
    recipient: to,
    decoy: false,
    locale: chooseLocale({
      requested: locale,
      tenantDefault: delivery.defaultLocale,
      available: availableLocales(delivery.templates ?? null),
    }),
    attempts: 0,
    createdAt: now,
    expiresAt: now + ttlSeconds * 1000,
    sealedCode: null,
  }
  const codeLength = carriesUndo ? undoCodeLength : (otp?.length ?? defaultLength)
  const code = carriesUndo || carriesCode(kind) ? sampleCode.slice(0, codeLength) : null
  return { message, code, ...composeMessage(message, code, tenant) }
}
