import type { Operations } from '../../../../contract/operations.ts'
import { email, ids, issued, now } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const message = {
  id: ids.message,
  otpId: ids.otp,
  kind: 'otp',
  scope: 'otp_signin',
  deliveryMethod: 'email',
  recipient: email,
  locale: 'fr',
  state: 'sent',
  attempts: 1,
  lastError: null,
  createdAt: issued.createdAt,
  nextAttemptAt: null,
  expiresAt: issued.expiresAt,
  settledAt: '2026-01-31T12:00:00.412Z',
  sender: 'smtp',
} as const

type Names = 'listMessages' | 'getMessageStatistics' | 'retryMessage'

/** Examples of the operations on messages. */
export const messageExamples: { readonly [Name in Names]: ExamplesOf<Operations[Name]> } = {
  listMessages: { answers: { lastPage: { items: [message], nextCursor: null } } },
  getMessageStatistics: {
    answers: {
      oneBroken: {
        queued: 3,
        sending: 1,
        oldestQueuedAt: issued.createdAt,
        failed24h: 0,
        senders: [
          {
            method: 'email',
            name: 'smtp',
            state: 'broken',
            until: now,
            lastError: 'mail.example.com refused the connection',
          },
          { method: 'email', name: 'smtp-2', state: 'ok', until: null, lastError: null },
        ],
      },
    },
  },
  retryMessage: {
    answers: {
      queued: { ...message, state: 'queued', attempts: 0, nextAttemptAt: now, settledAt: null, sender: null },
    },
  },
}
