import type { FastifyBaseLogger } from 'fastify'
import { createRepeatedLines } from '../core/repeated-lines.ts'

const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Logs that could not be sealed. They are tried alone and at intervals, so that the others are sealed meanwhile. */
export class FailingLogs {
  readonly #logger: Pick<FastifyBaseLogger, 'error'>
  readonly #repeated = createRepeatedLines()
  readonly #failing = new Map<string, { pauseMs: number; until: number }>()

  constructor(logger: Pick<FastifyBaseLogger, 'error'>) {
    this.#logger = logger
  }

  get tenantIds(): string[] {
    return [...this.#failing.keys()]
  }

  /** Those that are to be tried again. */
  get due(): string[] {
    const now = performance.now()
    return this.tenantIds.filter((tenantId) => this.#failing.get(tenantId)!.until <= now)
  }

  /** The log is tried again in a second at first, then after twice as long each time, at most a minute. */
  failed(tenantId: string, error: unknown): void {
    const before = this.#failing.get(tenantId)
    const pauseMs = before === undefined ? firstPauseMs : Math.min(before.pauseMs * 2, longestPauseMs)
    this.#failing.set(tenantId, { pauseMs, until: performance.now() + pauseMs })
    const counted = this.#repeated(tenantId)
    if (counted === null) return
    this.#logger.error(
      { ...counted, tenantId, retryInSeconds: pauseMs / 1_000, err: error },
      'failed to seal the events of one log; retrying',
    )
  }

  sealed(tenantId: string): void {
    this.#failing.delete(tenantId)
  }
}
