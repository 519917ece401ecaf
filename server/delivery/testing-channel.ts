import { timestamp } from '../../contract/envelope.ts'
import type { listTestingChannelMessages as operation, TestingChannelMessage } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { InboxEntry } from './inbox.ts'
import type { MessageTransport } from './message-transport.ts'

/** The associated data of an entry's ciphertext. */
export const inboxContext = ({ tenantId, id }: Pick<InboxEntry, 'tenantId' | 'id'>): string[] => [
  'testing-channel',
  tenantId,
  id,
]

/** Outside production, stores messages encrypted in the inbox instead of sending them. */
export const createTestingChannel = (keyring: Keyring): MessageTransport => ({
  canDeliver: () => true,
  async deliver({ message, code, rendered: { text } }, now) {
    // The id of the message, so that a message delivered twice is stored once.
    const { id, tenantId, otpId, scope, deliveryMethod, recipient } = message
    const sealed = keyring.seal(JSON.stringify({ code, text }), inboxContext({ tenantId, id }))
    return { inboxEntry: { id, tenantId, otpId, scope, deliveryMethod, recipient, sealed, createdAt: now } }
  },
})

const listed = 200

/** `GET /admin/testing-channel/messages`; the route does not exist in production. */
export const listTestingChannelMessages: Handler<typeof operation> = async (
  { query },
  call,
  { storage, keyring, codeReads },
) => {
  const entries = await storage.system.inbox.list(query, listed)
  const messages = entries.map((entry) => openEntry(entry, keyring))
  const read = new Set(messages.flatMap(({ tenantId, code }) => (code === null ? [] : tenantId)))
  await Promise.all([...read].map((tenantId) => codeReads.note(call, tenantId, call.now)))
  return { messages }
}

/** The decrypted entry. */
export function openEntry(entry: InboxEntry, keyring: Keyring): TestingChannelMessage {
  const { code, text } = JSON.parse(keyring.open(entry.sealed, inboxContext(entry)))
  const { id, tenantId, otpId, scope, deliveryMethod, recipient, createdAt } = entry
  return { id, tenantId, otpId, scope, deliveryMethod, recipient, code, text, createdAt: timestamp(createdAt) }
}
