import type { EventSearch } from './event-filters.tsx'
import type { RecordedEvent } from './recorded-event.ts'

/** Whether the list with these filters has an event, as the server decides it. */
export function matchesFilters(event: RecordedEvent, filters: EventSearch): boolean {
  const { type, outcome, actorId, subjectId, requestId, since, until } = filters
  const at = Date.parse(event.at)
  return (
    (type === undefined || (type.endsWith('.*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type)) &&
    (outcome === undefined || event.outcome === outcome) &&
    (actorId === undefined || event.actor.id === actorId) &&
    (subjectId === undefined || event.subject.id === subjectId) &&
    (requestId === undefined || event.where.requestId === requestId) &&
    (since === undefined || at >= Date.parse(since)) &&
    (until === undefined || at < Date.parse(until))
  )
}
