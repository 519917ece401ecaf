import { timestamp } from '../../contract/envelope.ts'
import type { listTestingChannelMessages as operation, TestingChannelMessage } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { InboxEntry } from './inbox.ts'
import type { MessageTransport } from './message-transport.ts'

/** What an entry's ciphertext is bound to. */
export const inboxContext = ({ tenantId, id }: Pick<InboxEntry, 'tenantId' | 'id'>): string[] => [
  'testing-channel',
  tenantId,
  id,
]

/**
 * Outside production every message goes here instead of to its recipient (contract 1, design 8): an inbox in the
 * database, sealed like every code.
 */
export const createTestingChannel = (keyring: Keyring): MessageTransport => ({
  canDeliver: () => true,
  async deliver({ message, code, rendered: { text } }, now) {
    // The message's own id: sent twice, after a lease that lapsed, it is still one entry.
    const { id, tenantId, otpId, scope, deliveryMethod, recipient } = message
    const sealed = keyring.seal(JSON.stringify({ code, text }), inboxContext({ tenantId, id }))
    return { inboxEntry: { id, tenantId, otpId, scope, deliveryMethod, recipient, sealed, createdAt: now } }
  },
})

const listed = 200

/** `GET /admin/testing-channel/messages`; the route does not exist in production. */
export const listTestingChannelMessages: Handler<typeof operation> = async ({ query }, _call, { storage, keyring }) => {
  const entries = await storage.system.inbox.list(query, listed)
  return { messages: entries.map((entry) => openEntry(entry, keyring)) }
}

/** An entry as the operator reads it. */
export function openEntry(entry: InboxEntry, keyring: Keyring): TestingChannelMessage {
  const { code, text } = JSON.parse(keyring.open(entry.sealed, inboxContext(entry)))
  const { id, tenantId, otpId, scope, deliveryMethod, recipient, createdAt } = entry
  return { id, tenantId, otpId, scope, deliveryMethod, recipient, code, text, createdAt: timestamp(createdAt) }
}
