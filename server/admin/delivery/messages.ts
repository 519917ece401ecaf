import type * as operations from '../../../contract/admin/messages.ts'
import { normaliseEmail } from '../../../contract/email-address.ts'
import { optionalTimestamp, timestamp } from '../../../contract/envelope.ts'
import { normalisePhone } from '../../../contract/phone-number.ts'
import { isGranted } from '../../../contract/scopes.ts'
import type { Handler } from '../../core/handler.ts'
import { pageOf } from '../../core/pages.ts'
import type { Message } from '../../delivery/message.ts'
import { record } from '../../events/record.ts'
import type { Operator } from '../../operators/operator.ts'
import type { PageRequest } from '../../tenants/tenant.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/messages`: newest first; filters by state, recipient and one-time password. */
export const listMessages: Handler<typeof operations.listMessages> = (
  { params, query },
  { refuse, operator },
  { storage },
) => {
  const filter = {
    ...(query.state !== undefined && { state: query.state }),
    ...(query.recipient !== undefined && { recipient: asStored(query.recipient) }),
    ...(query.otpId !== undefined && { otpId: query.otpId }),
  }
  const list = async (request: PageRequest) =>
    (await getManagedTenant(storage, params.tenantId, refuse)).stores.messages.list({ ...request, ...filter })
  return pageOf(query, refuse, list, (message) => presentMessage(message, operator))
}

/**
 * `POST /admin/tenants/{t}/messages/{m}/retry`: one guarded update, so that one of two concurrent retries is refused.
 */
export const retryMessage: Handler<typeof operations.retryMessage> = async (
  { params: { tenantId, messageId } },
  call,
  { storage, delivery },
) => {
  const { now, refuse } = call
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const { applied, message } = await stores.write(async (tx) => {
    const outcome = await tx.messages.retry(messageId, now)
    if (outcome.applied && outcome.message !== null) {
      const { kind, deliveryMethod } = outcome.message
      const subject = { kind: 'message', id: messageId } as const
      await record(tx, call, { type: 'message.retried', subject, details: { kind, deliveryMethod } })
    }
    return outcome
  })
  if (message === null) throw refuse('MESSAGE_NOT_FOUND')
  if (!applied) throw refuse('MESSAGE_NOT_RETRYABLE')
  delivery.wake()
  return presentMessage(message, call.operator)
}

/** A recipient as it is stored; text that is neither an address nor a phone number is searched for unchanged. */
const asStored = (recipient: string): string => normaliseEmail(recipient) ?? normalisePhone(recipient) ?? recipient

/** The id of a one-time password is the token that a verified one is used with: an operator who may read codes may read it. */
const presentMessage = (message: Message, { scopes }: Pick<Operator, 'scopes'>): operations.ManagedMessage => ({
  id: message.id,
  otpId: isGranted(scopes, 'codes:read') ? message.otpId : null,
  kind: message.kind,
  scope: message.scope,
  deliveryMethod: message.deliveryMethod,
  recipient: message.recipient,
  locale: message.locale,
  state: message.state,
  attempts: message.attempts,
  lastError: message.lastError,
  createdAt: timestamp(message.createdAt),
  nextAttemptAt: optionalTimestamp(message.nextAttemptAt),
  expiresAt: timestamp(message.expiresAt),
  settledAt: optionalTimestamp(message.settledAt),
  sender: message.sender,
})
