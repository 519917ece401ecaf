import { z } from 'zod'
import { DeliveryMethod, OtpScope } from '../accounts/otp.ts'
import { PageQuery, page, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { NoticeKind } from '../tenants/delivery-templates.ts'

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

/** A sender of the tenant, or of the deployment where the tenant has none, as the process that answers sees it. */
export const SenderState = z.strictObject({
  method: DeliveryMethod,
  name: z.string(),
  state: z.enum(['ok', 'broken']).describe('`broken`: it failed several times in a row, and messages skip it.'),
  until: Timestamp.nullable().describe('When a broken sender is tried again; null while one message tries it.'),
  lastError: z.string().nullable().describe('Why a broken sender failed. Never contains a code or a recipient.'),
})
export type SenderState = z.infer<typeof SenderState>

export const getMessageStatistics = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/messages/statistics',
  summary: 'Read how messages fare',
  description:
    'Counts the messages that wait and those that failed, and returns the state of the senders in order of preference. Outside production there are no senders.',
  auth: 'admin',
  scope: 'messages:read',
  params: z.object({ tenantId: z.string() }),
  status: 200,
  output: z.strictObject({
    queued: z.int().describe('Messages that wait. Counted among the first 20,000 of the deployment.'),
    sending: z.int().describe('Messages that are being sent, counted in the same way.'),
    oldestQueuedAt: Timestamp.nullable().describe('When the oldest of them was created; null when none waits.'),
    failed24h: z
      .int()
      .describe('Messages of the last 24 hours that failed. Counted among the latest 20,000 that were not sent.'),
    senders: z.array(SenderState),
  }),
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
