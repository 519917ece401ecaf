import type { FastifyBaseLogger } from 'fastify'
import { ServiceError } from '../core/service-error.ts'
import type { EventSealing, SealBatch, Sealing } from './event-sealing.ts'
import { FailingLogs } from './failing-logs.ts'

/** What one turn sealed. */
interface SealedLogs extends Sealing {
  readonly mayHaveMore: boolean
}

/** Seals the events of all logs together. When that fails, it seals log by log, so that one log does not stop the others. */
export class LogSealing {
  readonly #sealing: EventSealing
  readonly #failing: FailingLogs

  constructor(sealing: EventSealing, logger: Pick<FastifyBaseLogger, 'error'>) {
    this.#sealing = sealing
    this.#failing = new FailingLogs(logger)
  }

  /** @throws what concerns the database and not one log */
  async seal(most: number, sealBatch: SealBatch): Promise<SealedLogs> {
    const retried = await this.#oneByOne(this.#failing.due, most, sealBatch)
    const leftOut = this.#failing.tenantIds
    try {
      const sealed = await this.#sealing.seal(most, sealBatch, leftOut)
      return { ...sumOf([...retried, sealed]), mayHaveMore: sealed.events >= most }
    } catch (error) {
      if (isOfDatabase(error)) throw error
      const logs = await this.#sealing.oldestLogs(most, leftOut)
      return { ...sumOf([...retried, ...(await this.#oneByOne(logs, most, sealBatch))]), mayHaveMore: true }
    }
  }

  async #oneByOne(tenantIds: readonly string[], most: number, sealBatch: SealBatch): Promise<Sealing[]> {
    const sealed: Sealing[] = []
    for (const tenantId of tenantIds) {
      try {
        sealed.push(await this.#sealing.sealLog(tenantId, most, sealBatch))
        this.#failing.sealed(tenantId)
      } catch (error) {
        if (isOfDatabase(error)) throw error
        this.#failing.failed(tenantId, error)
      }
    }
    return sealed
  }
}

/** The database is overloaded or cannot write, which each log would only meet again. */
const isOfDatabase = (error: unknown): boolean => error instanceof ServiceError

function sumOf(sealings: readonly Sealing[]): Sealing {
  const oldest = sealings.flatMap(({ oldest }) => oldest ?? [])
  return {
    events: sealings.reduce((sum, { events }) => sum + events, 0),
    batches: sealings.reduce((sum, { batches }) => sum + batches, 0),
    oldest: oldest.length === 0 ? null : Math.min(...oldest),
    heldMs: sealings.reduce((sum, { heldMs }) => sum + heldMs, 0),
  }
}
