import type { Message } from '../../delivery/message.ts'
import type { ClaimedMessage } from '../../delivery/outbox.ts'
import { columnsOf, computed, flag, number, text } from '../columns.ts'

/** `attempts` is missing here because a claim counts the attempt that it begins. */
type Shared = Omit<Pick<Message, keyof Message & keyof ClaimedMessage>, 'attempts'>

const shared = columnsOf<Shared>('outbox', {
  id: text('id'),
  kind: text('kind'),
  otpId: text('otp_id'),
  scope: text('scope'),
  deliveryMethod: text('delivery_method'),
  recipient: text('recipient'),
  locale: text('locale'),
  createdAt: number('created_at'),
  expiresAt: number('expires_at'),
})
const progress = columnsOf<Pick<Message, 'state' | 'attempts'>>('outbox', {
  state: text('state'),
  attempts: number('attempts'),
})
const due = columnsOf<{ readonly dueAt: number | null }>('outbox', { dueAt: number('due_at') })
const result = columnsOf<Omit<Message, keyof Shared | 'state' | 'attempts'>>('outbox', {
  lastError: text('last_error'),
  nextAttemptAt: computed((table) => `CASE WHEN ${table}.state = 'queued' THEN ${table}.due_at END`),
  settledAt: number('settled_at'),
  sender: text('sender'),
})
const forWorker = columnsOf<Pick<ClaimedMessage, 'userId' | 'decoy'>>('outbox', {
  userId: text('user_id'),
  decoy: flag('decoy'),
})

/** A message as the operator sees it. */
export const messages = shared.and(progress).and(result)

/** What is stored when a message is queued. */
export const queuedMessages = shared.and(forWorker).and(progress).and(due)

/** A message as a claim returns it; `tenant` and `now` are SQL. */
export const claimedMessages = (tenant: string, now: string) =>
  shared.and(forWorker).and(
    columnsOf<Omit<ClaimedMessage, keyof Shared | 'userId' | 'decoy'>>('outbox', {
      tenantId: computed((table) => `${table}.tenant_id`),
      attempts: computed((table) => `${table}.attempts - 1`),
      // Read only while it may still be sent.
      sealedCode: computed(
        (table) =>
          `(SELECT otps.sealed_code FROM otps WHERE otps.tenant_id = ${tenant} AND otps.id = ${table}.otp_id
       AND otps.state = 'pending' AND otps.expires_at > ${now})`,
      ),
    }),
  )
