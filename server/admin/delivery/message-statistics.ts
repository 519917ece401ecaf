import type { getMessageStatistics as operation, SenderState } from '../../../contract/admin/messages.ts'
import { optionalTimestamp, timestamp } from '../../../contract/envelope.ts'
import type { Handler } from '../../core/handler.ts'
import type { ProviderState } from '../../delivery/provider.ts'
import { getManagedTenant } from '../managed-tenant.ts'

const dayMs = 86_400_000

/** `GET /admin/tenants/{t}/messages/statistics`: reads a bounded part of two indexes, and nothing of sent messages. */
export const getMessageStatistics: Handler<typeof operation> = async (
  { params: { tenantId } },
  { now, refuse },
  { storage, snapshots, transport },
) => {
  const { tenant, stores } = await getManagedTenant(storage, tenantId, refuse)
  const { oldest, ...counts } = await stores.messages.count(now - dayMs)
  const snapshot = await snapshots.of(tenant)
  return {
    ...counts,
    oldestQueuedAt: optionalTimestamp(oldest),
    senders: (transport.providerStates?.(snapshot) ?? []).map((state) => presentSender(state, now)),
  }
}

function presentSender({ method, name, circuit }: ProviderState, now: number): SenderState {
  if (circuit === null) return { method, name, state: 'ok', until: null, lastError: null }
  const { openUntil, lastError } = circuit
  const until = openUntil !== null && openUntil > now ? timestamp(openUntil) : null
  return { method, name, state: 'broken', until, lastError }
}
