import type { Registry } from 'prom-client'
import type { EventSealing, Sealing } from '../events/event-sealing.ts'
import { Counter, Gauge } from './prometheus.ts'
import { type ReadingOptions, recentReading } from './recent-reading.ts'

/** Counting stops here: it blocks SQLite for a millisecond. */
const mostCounted = 20_000

/** What the metrics of events use. */
interface EventMetricsOptions extends ReadingOptions {
  readonly sealing: EventSealing
}

/**
 * Registers metrics of events: those that are queued, which a scrape omits when the database does not answer in time, and
 * what this process seals.
 * @returns what to call after each transaction that seals
 */
export function watchEvents(
  registry: Registry,
  { sealing, ...reading }: EventMetricsOptions,
): (sealing: Sealing) => void {
  const registers = [registry]
  const look = recentReading(() => sealing.depth(mostCounted), reading)
  new Gauge({
    name: 'tenantry_events_queued',
    help: `Events that are not sealed yet. Counted up to ${mostCounted}.`,
    registers,
    async collect() {
      const depth = await look()
      this.remove()
      if (depth !== null) this.set(depth.events)
    },
  })
  new Gauge({
    name: 'tenantry_events_oldest_age_seconds',
    help: 'Age of the oldest event that is not sealed yet; 0 when there is none.',
    registers,
    async collect() {
      const depth = await look()
      this.remove()
      if (depth === null) return
      this.set(depth.oldest === null ? 0 : Math.max(0, reading.clock.now() - depth.oldest) / 1000)
    },
  })
  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const events = counter('tenantry_events_sealed_total', 'Events that this process sealed.')
  const batches = counter('tenantry_event_batches_total', 'Batches of events that this process sealed and signed.')
  const seconds = counter(
    'tenantry_event_sealing_seconds_total',
    'Seconds for which transactions that seal events held the writer.',
  )
  return (sealed) => {
    events.inc(sealed.events)
    batches.inc(sealed.batches)
    seconds.inc(sealed.heldMs / 1000)
  }
}
