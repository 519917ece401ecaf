import { sign } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { deployment } from '../../core/deployment.ts'
import { ulid } from '../../core/ids.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { CheckpointKeys } from '../checkpoint-keys.ts'
import type { EventHead } from '../sealed-log.ts'
import { type AnchorLine, signedAnchor } from './anchor-line.ts'

/** The heads of all logs. */
export interface EventHeadDirectory {
  /** In the order of tenants, after one; an empty string begins. */
  list(afterTenantId: string, limit: number): Promise<(EventHead & { readonly tenantId: string })[]>
}

/** Copies the heads of all logs to where this service cannot change them. */
export interface EventAnchor {
  /**
   * Housekeeping task: anchors the heads once an hour; after a failure it is due again.
   * @throws Error without the path of the URL
   */
  run(now: number): Promise<void>
  /** Anchors the heads a last time, within `graceMs`. Never rejects. */
  stop(): Promise<void>
}

export interface EventAnchorOptions {
  /** Stores one anchor; its errors do not quote the target, whose path may be a secret. */
  readonly send: (anchor: AnchorLine, signal: AbortSignal) => Promise<void>
  readonly heads: EventHeadDirectory
  readonly keys: CheckpointKeys
  readonly clock: Clock
  /** The time that receivers know. */
  readonly wallClock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** The most time for one anchor in milliseconds; 30 s by default. */
  readonly storeMs?: number
  /** 3 s by default. */
  readonly graceMs?: number
}

const everyMs = 60 * 60_000
/** Heads of one message: about 150 KB. */
const mostHeads = 1_000

export function createEventAnchor(options: EventAnchorOptions): EventAnchor {
  const { send, heads, keys, clock, wallClock, logger, storeMs = 30_000, graceMs = 3_000 } = options
  let anchoredAt = Number.NEGATIVE_INFINITY
  let isStoring = false

  /** A share that hangs occupies a thread of the pool until it answers, so there is never a second attempt beside one. */
  async function store(anchor: AnchorLine, ms: number, signal: AbortSignal): Promise<void> {
    if (isStoring) throw new Error('the anchor before is still not stored')
    isStoring = true
    const stored = send(anchor, signal).finally(() => {
      isStoring = false
    })
    await withTimeout(ms, stored)
  }

  async function anchorAll(now: number, ms: number, signal: AbortSignal): Promise<void> {
    let logs = 0
    let page = await heads.list('', mostHeads)
    while (page.length > 0) {
      const { kid, privateKey } = await keys.signer(now)
      const time = wallClock.now()
      const anchored = page.map(({ tenantId, batch, sequence, hash }) => ({
        tenantId: tenantId === deployment ? null : tenantId,
        ...{ batch, sequence, hash },
      }))
      const timestamp = new Date(time).toISOString()
      const body = { type: 'events.heads' as const, timestamp, data: { kid, heads: anchored } }
      const seconds = Math.floor(time / 1000)
      await store(
        signedAnchor(ulid(time), seconds, body, (bytes) => sign(null, bytes, privateKey)),
        ms,
        signal,
      )
      logs += page.length
      page = page.length < mostHeads ? [] : await heads.list(page.at(-1)!.tenantId, mostHeads)
    }
    logger.info({ logs }, 'heads of event logs anchored')
  }

  return {
    async run(now) {
      // Absolute, because the clock may have been set back.
      if (Math.abs(now - anchoredAt) < everyMs) return
      await anchorAll(now, storeMs, new AbortController().signal)
      anchoredAt = now
    },
    async stop() {
      const ends = new AbortController()
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        ends.abort()
        reject(new Error(`not done within ${graceMs / 1000} s`))
      }, graceMs)
      try {
        await Promise.race([anchorAll(clock.now(), graceMs, ends.signal), late])
      } catch (error) {
        const problem = error instanceof Error ? error.message : 'failed'
        logger.warn({ problem }, 'failed to anchor the heads of event logs at shutdown; the next process anchors them')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
