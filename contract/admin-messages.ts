import { z } from 'zod'
import { NoticeKind } from './delivery-templates.ts'
import { PageQuery, page, Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { DeliveryMethod, OtpScope } from './otp.ts'

/** Where a message stands (design 8): queued → sending → sent | failed, or cancelled with its one-time password. */
export const MessageState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled'])
export type MessageState = z.infer<typeof MessageState>

/** A message on its way to somebody, as the operator sees it: everything but what it says. */
export const ManagedMessage = z.strictObject({
  id: z.string(),
  otpId: z
    .string()
    .nullable()
    .describe('The one-time password or undo code it delivers; null for a notice without one.'),
  kind: z.enum(['otp', ...NoticeKind.options]),
  scope: OtpScope.nullable(),
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  locale: z.string().nullable(),
  state: MessageState,
  attempts: z.int().describe('Since it was queued, or since it was last retried.'),
  lastError: z.string().nullable().describe('Why the last attempt failed, in plain words; the code is never in it.'),
  createdAt: Timestamp,
  nextAttemptAt: Timestamp.nullable().describe('null unless it is queued.'),
  expiresAt: Timestamp.describe('Past it, it is not sent any more.'),
  settledAt: Timestamp.nullable().describe('When it was sent, failed or was cancelled.'),
  sender: z.string().nullable().describe('Who took it; null while nobody has, and in the testing channel.'),
})
export type ManagedMessage = z.infer<typeof ManagedMessage>

export const listMessages = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/messages',
  summary: 'List messages',
  description:
    'Newest first. A decoy of enumeration protection is listed as sent, by nobody. Messages are kept for some days after they expire.',
  auth: 'admin',
  params: z.object({ tenantId: z.string() }),
  query: PageQuery.extend({
    state: MessageState.optional(),
    recipient: z.string().optional().describe('Only those to this e-mail address or phone number.'),
    otpId: z.string().optional().describe('Only those of this one-time password.'),
  }),
  status: 200,
  output: page(ManagedMessage),
  errors: ['TENANT_NOT_FOUND'],
})

export const retryMessage = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/messages/:messageId/retry',
  summary: 'Retry a message',
  description:
    'A failed message is queued again and due at once while it has not expired, and the message of a one-time password while that is pending.',
  auth: 'admin',
  params: z.object({ tenantId: z.string(), messageId: z.string() }),
  status: 201,
  output: ManagedMessage,
  errors: ['TENANT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_RETRYABLE'],
})
