import type { Arrivals } from '../parts/stream/arrivals.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** The listed events and those that arrived since, newest first, each once, without those that are held back. */
export function withArrivals(
  listed: readonly RecordedEvent[],
  { items, held }: Pick<Arrivals<RecordedEvent>, 'items' | 'held'>,
): readonly RecordedEvent[] {
  const isHeld = new Set(held.map(({ id }) => id))
  const all = new Map([...items, ...listed].map((event) => [event.id, event]))
  return [...all.values()].filter(({ id }) => !isHeld.has(id)).toSorted((a, b) => b.sequence - a.sequence)
}
