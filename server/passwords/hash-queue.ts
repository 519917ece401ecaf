import { ServiceError } from '../core/service-error.ts'
import { GroupedResults } from './grouped-results.ts'
import type { HashCost } from './imported/password-format.ts'
import { type HashJob, TenantLanes } from './tenant-lanes.ts'

/** The tenant a hash is computed for. A `TenantCall` is one. */
export interface HashCaller {
  readonly tenantId: string
  /** Aborts when the client closes its connection: work that still waits is then dropped. */
  gone?(): AbortSignal
}

/** Refused before any work, because the wait would be too long. `retryAfterSeconds`: the expected time of the work ahead. */
export class PasswordHasherBusy extends ServiceError {
  constructor(retryAfterSeconds = 1) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  }
}

/** Dropped, because the client closed its connection. No client reads this answer. */
export class ClientGone extends ServiceError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
  }
}

/** Bounds on concurrent work and on waiting. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** Memory that running hashes may use together. A single hash must not need more. */
  readonly memoryKiB: number
  readonly maxWaitMs: number
}

/** Share of the speed estimate that each new measurement keeps. */
const SPEED_KEPT = 0.95

/** Runs hashes within bounds of cores and memory, fairly by tenant. Create one per process. */
export class HashQueue {
  readonly #options: HashQueueOptions
  readonly #lanes = new TenantLanes()
  readonly #idle: HashJob[] = []
  /** Results of finished jobs, which are held back for a moment while requests wait. */
  readonly #results = new GroupedResults()
  /** Each running job, with its start time. */
  readonly #running = new Map<HashJob, number>()
  #usedKiB = 0
  /** Moving sums; their ratio is the measured time of one estimated millisecond on this machine. */
  readonly #speed = { estimatedMs: 100, measuredMs: 100 }

  constructor(options: HashQueueOptions) {
    this.#options = options
  }

  get working(): number {
    return this.#running.size
  }

  /** Requests that wait; idle work is not counted. */
  get waiting(): number {
    return this.#lanes.waiting
  }

  /**
   * Runs `work` when it is the caller's turn: first in, first out within a tenant; between tenants, the one that received
   * the least work is next, which is round robin when hashes cost the same.
   * @throws PasswordHasherBusy, ClientGone before `work` starts
   */
  async run<T>(cost: HashCost, caller: HashCaller, work: () => Promise<T>): Promise<T> {
    const gone = requireConnected(caller)
    const { tenantId } = caller
    const waitMs = this.#expectedWait(tenantId, cost)
    if (waitMs > this.#options.maxWaitMs) throw new PasswordHasherBusy(Math.ceil(waitMs / 1000))
    return this.#enqueue({ tenantId, cost, isIdle: false }, gone, work)
  }

  /** Runs `work` when a core is free and no request waits, one at a time. @throws ClientGone */
  async runIdle<T>(cost: HashCost, caller: HashCaller, work: () => Promise<T>): Promise<T> {
    return this.#enqueue({ tenantId: caller.tenantId, cost, isIdle: true }, requireConnected(caller), work)
  }

  /** Milliseconds until a job that this tenant adds now starts: 0 when it starts immediately, otherwise at least 1. */
  #expectedWait(tenantId: string, cost: HashCost): number {
    if (this.waiting === 0 && this.#fits(cost)) return 0
    const { concurrency, memoryKiB } = this.#options
    const pace = this.#speed.measuredMs / this.#speed.estimatedMs
    let coreMs = 0
    let memoryMs = 0
    const add = (ahead: HashCost, ranMs = 0) => {
      const ms = Math.max(0, ahead.workMs * pace - ranMs)
      coreMs += ms / concurrency
      memoryMs += (ms * ahead.memoryKiB) / memoryKiB
    }
    const now = performance.now()
    for (const [job, started] of this.#running) add(job.cost, now - started)
    this.#lanes.visitAhead(tenantId, add)
    return Math.max(1, coreMs, memoryMs)
  }

  #fits({ memoryKiB }: HashCost): boolean {
    return this.#running.size < this.#options.concurrency && this.#usedKiB + memoryKiB <= this.#options.memoryKiB
  }

  #enqueue<T>(request: Omit<HashJob, 'start'>, gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const drop = () => {
      this.#remove(job)
      reject(new ClientGone())
      this.#startNext()
    }
    const job: HashJob = {
      ...request,
      start: () => {
        gone?.removeEventListener('abort', drop)
        Promise.try(work)
          .finally(() => this.#end(job))
          .then(
            (value) => this.#results.add(() => resolve(value), this.waiting === 0),
            (error) => this.#results.add(() => reject(error), this.waiting === 0),
          )
      },
    }
    gone?.addEventListener('abort', drop)
    if (job.isIdle) this.#idle.push(job)
    else this.#lanes.add(job)
    this.#startNext()
    return promise
  }

  #remove(job: HashJob): void {
    if (job.isIdle) this.#idle.splice(this.#idle.indexOf(job), 1)
    else this.#lanes.remove(job)
  }

  #startNext(): void {
    const fits = (cost: HashCost) => this.#fits(cost)
    for (let job = this.#lanes.takeNext(fits); job !== undefined; job = this.#lanes.takeNext(fits)) this.#start(job)
    if (this.waiting > 0) return
    this.#lanes.reset()
    const [job] = this.#idle
    if (job === undefined || !this.#fits(job.cost) || this.#running.keys().some(({ isIdle }) => isIdle)) return
    this.#idle.shift()
    this.#start(job)
  }

  #start(job: HashJob): void {
    this.#running.set(job, performance.now())
    this.#usedKiB += job.cost.memoryKiB
    job.start()
  }

  #end(job: HashJob): void {
    const { workMs, memoryKiB } = job.cost
    this.#speed.estimatedMs = this.#speed.estimatedMs * SPEED_KEPT + workMs
    this.#speed.measuredMs = this.#speed.measuredMs * SPEED_KEPT + performance.now() - this.#running.get(job)!
    this.#running.delete(job)
    this.#usedKiB -= memoryKiB
    this.#startNext()
  }
}

/** The signal of the caller's connection. @throws ClientGone when it is closed already */
function requireConnected(caller: HashCaller): AbortSignal | undefined {
  const gone = caller.gone?.()
  if (gone?.aborted) throw new ClientGone()
  return gone
}
