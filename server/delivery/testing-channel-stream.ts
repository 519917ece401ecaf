import type { streamTestingChannelMessages as operation, TestingChannelMessage } from '../../contract/system.ts'
import { createBell } from '../core/bell.ts'
import type { Handler, StreamEvent } from '../core/handler.ts'
import type { Inbox, InboxEntry, InboxFilter } from './inbox.ts'
import { openEntry } from './testing-channel.ts'

/** How soon a message of another process is noticed. */
const pollMs = 1_000
const batch = 200

/**
 * `GET /admin/testing-channel/stream`; the route does not exist in production. Starts after the message with the given
 * id, or after the latest message without one. If that message is no longer stored, starts with the oldest: a client
 * may see a message twice, but misses none.
 */
export const streamTestingChannelMessages: Handler<typeof operation> = async (
  { query: { lastEventId, ...filter } },
  call,
  { storage, keyring, codeReads, clock },
) => {
  const { inbox } = storage.system
  const mayRead = await call.lastingRight()
  const place = lastEventId === undefined ? await inbox.latestPlace() : ((await inbox.placeOf(lastEventId)) ?? 0)
  const open = async (entry: InboxEntry) => {
    const message = openEntry(entry, keyring)
    if (message.code !== null) await codeReads.note(call, message.tenantId, clock.now())
    return message
  }
  return { events: (ends) => follow(inbox, { open, filter, place, mayRead, ends }), mayRead }
}

interface Following {
  readonly open: (entry: InboxEntry) => Promise<TestingChannelMessage>
  readonly filter: InboxFilter
  /** The last place that the client has seen. */
  readonly place: number
  /** Whether the client may still read: a stream outlives the check of its request. */
  readonly mayRead: () => Promise<boolean>
  readonly ends: AbortSignal
}

/**
 * Each stream reads the inbox from the last place it has read, matching or not, so nothing is skipped or repeated.
 */
async function* follow(
  inbox: Inbox,
  { open, filter, place: start, mayRead, ends }: Following,
): AsyncGenerator<StreamEvent<TestingChannelMessage>> {
  const bell = createBell(ends)
  const unwatch = inbox.watch(bell.ring)
  let place = start
  try {
    while (!ends.aborted) {
      bell.reset()
      if (!(await mayRead())) return
      const entries = await inbox.after(place, batch)
      for (const entry of entries) {
        place = entry.place
        if (isMatch(entry, filter)) yield { id: entry.id, event: 'message', data: await open(entry) }
      }
      if (entries.length < batch) await bell.rung(pollMs)
    }
  } finally {
    unwatch()
  }
}

const isMatch = (entry: InboxEntry, { tenantId, otpId, recipient }: InboxFilter): boolean =>
  (tenantId === undefined || entry.tenantId === tenantId) &&
  (otpId === undefined || entry.otpId === otpId) &&
  (recipient === undefined || entry.recipient === recipient)
