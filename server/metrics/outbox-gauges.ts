import type { Registry } from 'prom-client'
import type { Outbox } from '../delivery/outbox.ts'
import { Gauge } from './prometheus.ts'
import { type ReadingOptions, recentReading } from './recent-reading.ts'

/** Counting stops here: it blocks SQLite for a few milliseconds. */
const mostCounted = 20_000
/** What the outbox gauges use. */
interface OutboxGaugesOptions extends ReadingOptions {
  readonly outbox: Outbox
}

/** Registers metrics of messages to be sent. A scrape omits them when the database does not answer in time. */
export function watchOutbox(registry: Registry, { outbox, clock, timeoutMs }: OutboxGaugesOptions): void {
  const registers = [registry]
  const look = recentReading(() => outbox.depth(mostCounted), { clock, timeoutMs })

  new Gauge({
    name: 'tenantry_database_up',
    help: 'Whether the database answered the latest query of the outbox: 1 or 0.',
    registers,
    async collect() {
      this.set((await look()) === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'tenantry_outbox_messages',
    help: `Messages to be sent, by state: queued or sending. Counted up to ${mostCounted}.`,
    labelNames: ['state'],
    registers,
    async collect() {
      const depth = await look()
      this.reset()
      if (depth === null) return
      this.set({ state: 'queued' }, depth.queued)
      this.set({ state: 'sending' }, depth.sending)
    },
  })
  new Gauge({
    name: 'tenantry_outbox_oldest_age_seconds',
    help: 'Age of the oldest message to be sent; 0 when there is none.',
    registers,
    async collect() {
      const depth = await look()
      this.remove()
      if (depth !== null) this.set(depth.oldest === null ? 0 : Math.max(0, clock.now() - depth.oldest) / 1000)
    },
  })
}
