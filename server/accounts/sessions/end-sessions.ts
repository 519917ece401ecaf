import type { Counts } from '../../statistics/counts.ts'
import type { Tx } from '../../storage/storage.ts'

/** The tenant and time of the act that ends sessions; times in epoch milliseconds. */
interface Ending {
  readonly tenantId: string
  readonly now: number
}

/** Ends a session of a user and counts it; false when the user has no such live session. */
export async function endOneSession(
  tx: Tx,
  userId: string,
  sessionId: string,
  { tenantId, now }: Ending,
  counts: Pick<Counts, 'add'>,
): Promise<boolean> {
  if (!(await tx.sessions.revoke(userId, sessionId, now))) return false
  tx.onCommit(() => counts.add(tenantId, 'openSessions', -1))
  return true
}

/**
 * Ends the sessions of a user and counts them.
 * @param but the session that stays
 * @returns the ids of the live sessions that it ended
 */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  { tenantId, now }: Ending,
  counts: Pick<Counts, 'add'>,
  but?: string,
): Promise<string[]> {
  const ended = await tx.sessions.revokeAllOf(userId, now, but)
  tx.onCommit(() => counts.add(tenantId, 'openSessions', -ended.length))
  return ended
}
