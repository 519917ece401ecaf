import type { streamTestingChannelMessages as operation, TestingChannelMessage } from '../../contract/system.ts'
import type { Handler, StreamEvent } from '../core/handler.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Inbox, InboxEntry, InboxFilter } from './inbox.ts'
import { openEntry } from './testing-channel.ts'

/** How soon a message that another process posted is noticed. */
const pollMs = 1_000
const batch = 200

/**
 * `GET /admin/testing-channel/stream`; the route does not exist in production. Starts after the message with the given
 * id, or after the latest message without one. If that message is no longer stored, starts with the oldest: a client
 * may see a message twice, but misses none.
 */
export const streamTestingChannelMessages: Handler<typeof operation> = async (
  { query: { lastEventId, ...filter } },
  _call,
  { storage, keyring },
) => {
  const { inbox } = storage.system
  const place = lastEventId === undefined ? await inbox.latestPlace() : ((await inbox.placeOf(lastEventId)) ?? 0)
  return (ends) => follow(inbox, keyring, filter, place, ends)
}

/**
 * Every stream asks the inbox by itself and goes on from the last place it has read, matching or not: whatever happens in
 * between, nothing is skipped and nothing comes twice.
 */
async function* follow(
  inbox: Inbox,
  keyring: Keyring,
  filter: InboxFilter,
  start: number,
  ends: AbortSignal,
): AsyncGenerator<StreamEvent<TestingChannelMessage>> {
  const bell = createBell(ends)
  const unwatch = inbox.watch(bell.ring)
  let place = start
  try {
    while (!ends.aborted) {
      bell.reset()
      const entries = await inbox.after(place, batch)
      for (const entry of entries) {
        place = entry.place
        if (isMatch(entry, filter)) yield { id: entry.id, event: 'message', data: openEntry(entry, keyring) }
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

/** Remembers that it was rung since it was last reset, so that nothing posted while one is reading is slept through. */
function createBell(ends: AbortSignal) {
  let isRung = false
  let answer = () => {}
  const ring = () => {
    isRung = true
    answer()
  }
  ends.addEventListener('abort', ring, { once: true })
  return {
    ring,
    reset() {
      isRung = ends.aborted
    },
    /** Resolves when it is rung, or after so many milliseconds. */
    rung(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        answer = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isRung) answer()
      })
    },
  }
}
