import { t0 } from './samples.testkit.ts'
import { batchOf, sealedEventOf, storing } from './sealed-log.testkit.ts'
import { idsOf, shared } from './two-tenants.testkit.ts'

/** The sealed log of a tenant: of a user that both have, about a user that only it has and about themselves. */
function logOf(tenantId: 'A' | 'B', sealedAt: readonly number[]) {
  const own = idsOf(tenantId)
  const events = sealedAt.map((_, index) => {
    const subjectId = index === 0 ? own.user : shared.user
    // The third one, which B does not have, is by the user that only A has, and lost its personal part.
    const actorId = index === 2 ? own.user : shared.user
    const names = { subjectId, actorId, requestId: tenantId }
    const lost = index === 2 ? { personal: null } : {}
    return sealedEventOf(index + 1, { ...lost, id: `${tenantId} ${index + 1}`, batch: index + 1, ...names })
  })
  const batches = events.map((event, index) => ({
    ...batchOf(tenantId, [event], sealedAt[index]!),
    ...{ batch: index + 1, firstSequence: index + 1 },
  }))
  return storing(tenantId, { events, batches })
}

/** SQL that stores the logs of two tenants. B's batches are between those of A by the time of sealing. */
export const twoLogs = logOf('A', [t0 - 50, t0 + 1, t0 + 100]) + logOf('B', [t0 + 10, t0 + 20])
