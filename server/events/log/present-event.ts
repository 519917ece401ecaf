import { timestamp } from '../../../contract/envelope.ts'
import type { RecordedEvent } from '../../../contract/events.ts'
import type { PersonalPart } from '../event.ts'
import type { SealedEvent } from '../sealed-log.ts'
import { readEvent } from './stored-values.ts'

/**
 * A sealed event on the wire. Once its person is erased, it has the names of what changed without values, and no network.
 * @param tenantId null in the log of the deployment
 */
export function presentEvent(event: SealedEvent, tenantId: string | null): RecordedEvent {
  const read = readEvent(event)
  const { code, changed, details, session } = read.public
  const personal = read.personal ?? {}
  return {
    id: event.id,
    sequence: event.sequence,
    type: event.type,
    at: timestamp(event.at),
    tenantId,
    actor: { kind: event.actorKind, id: event.actorId, ...(session !== undefined && { session }) },
    subject: { kind: event.subjectKind, id: event.subjectId },
    outcome: event.outcome,
    ...(code !== undefined && { code }),
    ...(details !== undefined && { details: { ...details } }),
    ...(changed !== undefined && { changes: changesOf(changed, personal.changes) }),
    where: {
      network: personal.network ?? null,
      userAgent: personal.userAgent ?? null,
      requestId: event.requestId,
    },
  }
}

/** Names may be any that a profile field has, such as `constructor`. */
const changesOf = (names: readonly string[], values: PersonalPart['changes'] = {}) =>
  Object.fromEntries(names.map((name) => [name, (Object.hasOwn(values, name) && values[name]) || {}]))
