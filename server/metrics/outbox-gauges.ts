import type { Registry } from 'prom-client'
import type { Clock } from '../core/clock.ts'
import type { Outbox, OutboxDepth } from '../delivery/outbox.ts'
import { withTimeout } from '../limits/with-timeout.ts'
import { Gauge } from './prometheus.ts'

/** Counting stops here: it blocks SQLite for ten milliseconds. */
const mostCounted = 20_000
/** The database is queried at most this often, however many scrapes there are. */
const freshMs = 3_000

/** What the outbox gauges use. */
export interface OutboxGaugesOptions {
  readonly outbox: Outbox
  readonly clock: Clock
  /** How long a scrape waits for the database. */
  readonly timeoutMs: number
}

/** Registers metrics of messages to be sent. A scrape omits them when the database does not answer in time. */
export function watchOutbox(registry: Registry, { outbox, clock, timeoutMs }: OutboxGaugesOptions): void {
  const registers = [registry]
  let seen: { readonly depth: OutboxDepth; readonly at: number } | null = null
  /** One query for concurrent scrapes. */
  let asking: Promise<OutboxDepth> | null = null

  async function look(): Promise<OutboxDepth | null> {
    const now = clock.now()
    if (seen !== null && Math.abs(now - seen.at) < freshMs) return seen.depth
    asking ??= outbox.depth(mostCounted).finally(() => {
      asking = null
    })
    try {
      const depth = await withTimeout(timeoutMs, asking)
      seen = { depth, at: now }
      return depth
    } catch {
      seen = null
      return null
    }
  }

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
