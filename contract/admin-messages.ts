import { z } from 'zod'
import { NoticeKind } from './delivery-templates.ts'
import { PageQuery, page, Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { DeliveryMethod, OtpScope } from './otp.ts'

/** The state of a message: queued → sending → sent | failed, or cancelled with its one-time password. */
export const MessageState = z.enum(['queued', 'sending', 'sent', 'failed', 'cancelled'])
export type MessageState = z.infer<typeof MessageState>

/** A message as the operator sees it, without its content. */
export const ManagedMessage = z.strictObject({
  id: z.string(),
  otpId: z
    .string()
    .nullable()
    .describe(
      'The one-time password or undo code that the message delivers; null for a notice without a code, and for operators without the scope `codes:read`: a verified one is used with its id.',
    ),
  kind: z.enum(['otp', ...NoticeKind.options]),
  scope: OtpScope.nullable(),
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  locale: z.string().nullable(),
  state: MessageState,
  attempts: z.int().describe('Attempts since the message was queued or last retried.'),
  lastError: z.string().nullable().describe('Why the last attempt failed. Never contains the code.'),
  createdAt: Timestamp,
  nextAttemptAt: Timestamp.nullable().describe('null unless the message is queued.'),
  expiresAt: Timestamp.describe('The message is not sent after this time.'),
  settledAt: Timestamp.nullable().describe('When the message was sent, failed or was cancelled.'),
  sender: z
    .string()
    .nullable()
    .describe('The sender that accepted the message; null before that, and for the testing channel.'),
})
export type ManagedMessage = z.infer<typeof ManagedMessage>

export const listMessages = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/messages',
  summary: 'List messages',
  description:
    'Newest first. Decoys of enumeration protection are listed as sent, without a sender. Messages are deleted some days after they expire.',
  auth: 'admin',
  scope: 'messages:read',
  params: z.object({ tenantId: z.string() }),
  query: PageQuery.extend({
    state: MessageState.optional(),
    recipient: z.string().optional().describe('Only messages to this e-mail address or phone number.'),
    otpId: z.string().optional().describe('Only messages of this one-time password.'),
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
    'Queues a failed message for immediate sending. Possible until the message expires and, for a one-time password, while that is pending.',
  auth: 'admin',
  scope: 'messages:write',
  params: z.object({ tenantId: z.string(), messageId: z.string() }),
  status: 201,
  output: ManagedMessage,
  errors: ['TENANT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_RETRYABLE'],
})
