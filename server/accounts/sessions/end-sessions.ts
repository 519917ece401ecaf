import type { Actor } from '../../events/event.ts'
import { type EventSource, record } from '../../events/record.ts'
import { aUser } from '../../events/subjects.ts'
import type { Counts } from '../../statistics/counts.ts'
import type { Tx } from '../../storage/storage.ts'

/** Why a session was ended. */
export type EndReason =
  | 'signed_out'
  | 'password_changed'
  | 'password_reset'
  | 'address_proven'
  | 'first_sign_in_method'
  | 'recovered'
  | 'reuse_detected'
  | 'operator'

/** What the event of an ended session says. */
interface Ending {
  readonly reason: EndReason
  /** Default: the caller. */
  readonly actor?: Actor
}

/** The act that ends sessions, with the tenant of their user. */
type EndingCall = EventSource & { readonly tenantId: string }

/** Ends a session of a user, records and counts it; false when the user has no such live session. */
export async function endOneSession(
  tx: Tx,
  userId: string,
  sessionId: string,
  call: EndingCall,
  counts: Pick<Counts, 'add'>,
  ending: Ending,
): Promise<boolean> {
  if (!(await tx.sessions.revoke(userId, sessionId, call.now))) return false
  await noteEnded(tx, userId, [sessionId], call, counts, ending)
  return true
}

/**
 * Ends the sessions of a user, records and counts each.
 * @param but the session that stays
 * @returns the ids of the live sessions that it ended
 */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  call: EndingCall,
  counts: Pick<Counts, 'add'>,
  { but, ...ending }: Ending & { readonly but?: string | undefined },
): Promise<string[]> {
  const ended = await tx.sessions.revokeAllOf(userId, call.now, but)
  await noteEnded(tx, userId, ended, call, counts, ending)
  return ended
}

async function noteEnded(
  tx: Tx,
  userId: string,
  sessions: readonly string[],
  call: EndingCall,
  counts: Pick<Counts, 'add'>,
  { reason, actor }: Ending,
): Promise<void> {
  for (const session of sessions) {
    const fact = { type: 'session.ended', subject: aUser(userId), details: { session, reason } } as const
    await record(tx, call, { ...fact, ...(actor && { actor }) })
  }
  tx.onCommit(() => counts.add(call.tenantId, 'openSessions', -sessions.length))
}
