import { canonicalJson } from '../../../server/core/canonical-json.ts'
import { commitmentOf } from '../../../server/core/commitment.ts'
import { ulid } from '../../../server/core/ids.ts'
import type { QueuedEvent } from '../../../server/events/event.ts'
import type { TestService } from '../service.ts'

/** An event that happens now. */
export function queuedEvent({ clock }: TestService, changes: Partial<QueuedEvent> = {}): QueuedEvent {
  const at = clock.now()
  const id = ulid(at)
  const personal = canonicalJson({ salt: id, network: '203.0.113.0/24', userAgent: 'Chrome 142 on macOS' })
  return {
    ...{ id, at, type: 'session.created', actorKind: 'user', actorId: 'ada', subjectKind: 'user', subjectId: 'ada' },
    ...{ outcome: 'done', requestId: 'request', public: '{}', personal, commitment: commitmentOf(personal) },
    ...changes,
  }
}

/** Records events a millisecond apart and seals each `batchSize` of them in a batch; in the order of their sequence. */
export async function sealEvents(
  service: TestService,
  tenantId: string | null,
  changes: readonly Partial<QueuedEvent>[],
  batchSize = changes.length,
): Promise<QueuedEvent[]> {
  const { storage, events } = service.service.services
  const { events: queue } = tenantId === null ? storage.system : storage.forTenant(tenantId)
  const sealed: QueuedEvent[] = []
  for (const change of changes) {
    service.clock.advance(1)
    const event = queuedEvent(service, change)
    await queue.add(event)
    sealed.push(event)
    if (sealed.length % batchSize === 0) await events.drain()
  }
  await events.drain()
  return sealed
}
