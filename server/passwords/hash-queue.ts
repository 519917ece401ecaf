import { ServiceError } from '../core/service-error.ts'
import type { HashCost } from './imported/password-format.ts'

/** Who a hash is made for. A `TenantCall` is one. */
export interface HashCaller {
  readonly tenantId: string
  /** Aborts when the client has closed its connection: work that still waits is then dropped. */
  gone?(): AbortSignal
}

/** Refused at once, because the wait would be too long. `retryAfterSeconds`: when the work ahead will be done. */
export class PasswordHasherBusy extends ServiceError {
  constructor(retryAfterSeconds = 1) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  }
}

/** Dropped, because the client has closed its connection. No client reads this answer. */
export class ClientGone extends ServiceError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
  }
}

/** How much may run at once, and how long a request may wait. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** Memory that running hashes may use together. A single hash must not need more. */
  readonly memoryKiB: number
  readonly maxWaitMs: number
}

/** Runs hashes within bounds of cores and memory, fairly by tenant. */
export interface HashQueue {
  /**
   * Runs `work` when it is the caller's turn: first in, first out within a tenant; between tenants, the one that was
   * given least work is next, which is round robin when hashes cost the same.
   * @throws PasswordHasherBusy, ClientGone before `work` begins
   */
  run<T>(cost: HashCost, caller: HashCaller, work: () => Promise<T>): Promise<T>
  /** Runs `work` when a core is free and no request waits; one at a time. @throws ClientGone */
  runIdle<T>(cost: HashCost, caller: HashCaller, work: () => Promise<T>): Promise<T>
  readonly working: number
  /** Requests that wait; idle work is not counted. */
  readonly waiting: number
}

interface Job {
  readonly cost: HashCost
  /** Whether it gives way to every request. */
  readonly isIdle: boolean
  begin(): void
}

interface Lane {
  /** Estimated work the tenant was given since the queue was last empty: the tenant with the least is next. */
  given: number
  readonly jobs: Job[]
}

/** How much of the measured speed is kept when another hash is measured. */
const SPEED_KEPT = 0.95

/** A queue of these bounds. One per process. */
export function createHashQueue({ concurrency, memoryKiB, maxWaitMs }: HashQueueOptions): HashQueue {
  /** The tenants with waiting jobs, and those that were given more than they were due. */
  const lanes = new Map<string, Lane>()
  const idle: Job[] = []
  /** Each running job, with the time it began. */
  const running = new Map<Job, number>()
  let usedKiB = 0
  let waiting = 0
  /** `given` of the tenant whose turn was last. A tenant that arrives starts there, with no claim on the past. */
  let level = 0
  /** Moving sums; their ratio is how long an estimated millisecond takes on this machine. */
  const speed = { estimatedMs: 100, measuredMs: 100 }

  const fits = ({ memoryKiB: needed }: HashCost) => running.size < concurrency && usedKiB + needed <= memoryKiB

  /** Milliseconds until a job that this tenant adds now begins: 0 when it begins at once, else at least 1. */
  function expectedWait(tenantId: string, cost: HashCost): number {
    if (waiting === 0 && fits(cost)) return 0
    const pace = speed.measuredMs / speed.estimatedMs
    let coreMs = 0
    let memoryMs = 0
    const add = (ms: number, ahead: HashCost) => {
      coreMs += ms / concurrency
      memoryMs += (ms * ahead.memoryKiB) / memoryKiB
    }
    const now = performance.now()
    for (const [job, begun] of running) add(Math.max(0, job.cost.workMs * pace - (now - begun)), job.cost)
    const own = lanes.get(tenantId)
    const turn = own === undefined ? level : own.jobs.reduce((sum, job) => sum + job.cost.workMs, own.given)
    for (const lane of lanes.values()) {
      let { given } = lane
      for (const job of lane.jobs) {
        if (lane !== own && given > turn) break
        add(job.cost.workMs * pace, job.cost)
        given += job.cost.workMs
      }
    }
    return Math.max(1, coreMs, memoryMs)
  }

  /** The lane whose turn it is; lanes that are due nothing and wait for nothing are removed. */
  function laneInTurn(): Lane | undefined {
    let first: Lane | undefined
    for (const [tenantId, lane] of lanes) {
      if (lane.jobs.length === 0) {
        if (lane.given <= level) lanes.delete(tenantId)
      } else if (first === undefined || lane.given < first.given) first = lane
    }
    return first
  }

  function dispatch(): void {
    for (let lane = laneInTurn(); lane !== undefined; lane = laneInTurn()) {
      const job = lane.jobs[0]!
      // Smaller jobs do not overtake a large one, or it could wait for ever.
      if (!fits(job.cost)) return
      lane.jobs.shift()
      waiting--
      level = lane.given
      lane.given += job.cost.workMs
      begin(job)
    }
    lanes.clear()
    level = 0
    const [job] = idle
    if (job === undefined || !fits(job.cost) || running.keys().some(({ isIdle }) => isIdle)) return
    idle.shift()
    begin(job)
  }

  function begin(job: Job): void {
    running.set(job, performance.now())
    usedKiB += job.cost.memoryKiB
    job.begin()
  }

  function end(job: Job): void {
    const { workMs, memoryKiB: freed } = job.cost
    speed.estimatedMs = speed.estimatedMs * SPEED_KEPT + workMs
    speed.measuredMs = speed.measuredMs * SPEED_KEPT + performance.now() - running.get(job)!
    running.delete(job)
    usedKiB -= freed
    dispatch()
  }

  function enter<T>(
    jobs: Job[],
    isIdle: boolean,
    cost: HashCost,
    gone: AbortSignal | undefined,
    work: () => Promise<T>,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const job: Job = {
      cost,
      isIdle,
      begin() {
        gone?.removeEventListener('abort', drop)
        Promise.try(work)
          .finally(() => end(job))
          .then(resolve, reject)
      },
    }
    function drop(): void {
      jobs.splice(jobs.indexOf(job), 1)
      if (!isIdle) waiting--
      reject(new ClientGone())
      dispatch()
    }
    gone?.addEventListener('abort', drop)
    jobs.push(job)
    if (!isIdle) waiting++
    dispatch()
    return promise
  }

  function requirePresent(caller: HashCaller): AbortSignal | undefined {
    const gone = caller.gone?.()
    if (gone?.aborted) throw new ClientGone()
    return gone
  }

  return {
    async run(cost, caller, work) {
      const gone = requirePresent(caller)
      const { tenantId } = caller
      const waitMs = expectedWait(tenantId, cost)
      if (waitMs > maxWaitMs) throw new PasswordHasherBusy(Math.ceil(waitMs / 1000))
      const lane = lanes.get(tenantId) ?? { given: level, jobs: [] }
      if (lane.jobs.length === 0) lane.given = Math.max(lane.given, level)
      lanes.set(tenantId, lane)
      return enter(lane.jobs, false, cost, gone, work)
    },
    async runIdle(cost, caller, work) {
      return enter(idle, true, cost, requirePresent(caller), work)
    },
    get working() {
      return running.size
    },
    get waiting() {
      return waiting
    },
  }
}
