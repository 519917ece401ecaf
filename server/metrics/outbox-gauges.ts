import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../core/clock.ts'
import type { Outbox, OutboxDepth } from '../delivery/outbox.ts'
import { withTimeout } from '../limits/with-timeout.ts'

/** Of an outbox longer than this no more is counted: reading it holds SQLite up for ten milliseconds. */
const mostCounted = 20_000
/** However often somebody scrapes, the database is asked no more often than this. */
const freshMs = 3_000

/** What the outbox is asked with. */
export interface OutboxGaugesOptions {
  readonly outbox: Outbox
  readonly clock: Clock
  /** A scrape waits no longer for the database. */
  readonly timeoutMs: number
}

/** What waits to be sent. When the database does not answer in time, these are left out of the scrape. */
export function watchOutbox(registry: Registry, { outbox, clock, timeoutMs }: OutboxGaugesOptions): void {
  const registers = [registry]
  let seen: { readonly depth: OutboxDepth; readonly at: number } | null = null
  /** Asked once, however many scrapes wait for it. */
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
    help: 'Whether the database answered when it was last looked at: 1 or 0.',
    registers,
    async collect() {
      this.set((await look()) === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'tenantry_outbox_messages',
    help: `Messages still to be sent: waiting (queued) or in somebody's hands (sending). Counted up to ${mostCounted}.`,
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
    help: 'How long the oldest message that is still to be sent has been waiting; 0 when none is.',
    registers,
    async collect() {
      const depth = await look()
      this.remove()
      if (depth !== null) this.set(depth.oldest === null ? 0 : Math.max(0, clock.now() - depth.oldest) / 1000)
    },
  })
}
