import type { OtpScope } from '../../../contract/accounts/otp.ts'
import type { PostedEntry } from '../../delivery/inbox.ts'
import type { Lease, Message, NewMessage } from '../../delivery/message.ts'
import type { ClaimedMessage } from '../../delivery/outbox.ts'
import type { Otp } from '../../otp/otp.ts'
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
const due = columnsOf<{ readonly dueAt: number | null; readonly leaseOwner: string | null }>('outbox', {
  dueAt: number('due_at'),
  leaseOwner: text('lease_owner'),
})
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

/** What is stored of a new message. */
export const newMessages = shared.and(forWorker).and(progress).and(due)

type StoredMessage = Parameters<typeof newMessages.values>[0]
type Progress = Pick<StoredMessage, 'state' | 'attempts' | 'dueAt' | 'leaseOwner'>

/** The order in which every transaction locks several messages, which avoids deadlocks. */
export const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** A message that any process may claim from `dueAt` on. */
export const queuedAt = (dueAt: number): Progress => ({ state: 'queued', attempts: 0, dueAt, leaseOwner: null })

/** A message whose first attempt begins at once, in the process with the lease. */
const leasedTo = ({ owner, until }: Lease): Progress => ({
  state: 'sending',
  attempts: 1,
  dueAt: until,
  leaseOwner: owner,
})

/** The progress of a message that delivers a one-time password. */
export const progressOf = ({ lease }: NewMessage, otp: Pick<Otp, 'lastSentAt'>): Progress =>
  lease === null ? queuedAt(otp.lastSentAt) : leasedTo(lease)

/** The message that delivers a one-time password. */
export const messageOf = (otp: Otp, message: NewMessage): StoredMessage => ({
  ...{ id: message.id, kind: 'otp', otpId: otp.id, scope: otp.scope as OtpScope, userId: otp.userId },
  ...{ deliveryMethod: otp.deliveryMethod, recipient: otp.recipient, locale: otp.locale, decoy: otp.decoy },
  ...{ createdAt: otp.lastSentAt, expiresAt: otp.expiresAt },
  ...progressOf(message, otp),
})

/** A message in the testing channel's inbox: a sent one, with three more columns. */
export const posted = shared.pick('id', 'otpId', 'scope', 'deliveryMethod').and(
  columnsOf<Omit<PostedEntry, 'id' | 'otpId' | 'scope' | 'deliveryMethod'>>('outbox', {
    tenantId: computed((table) => `${table}.tenant_id`),
    // Kept when the message's own recipient is erased.
    recipient: text('posted_to'),
    sealed: text('sealed'),
    place: number('place'),
    createdAt: computed((table) => `${table}.settled_at`),
  }),
)

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
