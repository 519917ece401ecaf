/** `ending`: with an end in the next seven days. */
export type Validity = 'active' | 'ending' | 'expired' | 'revoked'

/** What may end. */
export interface Ending {
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

const soonMs = 7 * 86_400_000

/** Whether a key or an operator is valid at `now`, in epoch milliseconds. */
export function validityOf({ expiresAt, revokedAt }: Ending, now: number): Validity {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return 'revoked'
  if (expiresAt === null) return 'active'
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left < soonMs ? 'ending' : 'active'
}
