import type { HashCost } from './imported/password-format.ts'

/** A hash that waits or runs. */
export interface HashJob {
  readonly tenantId: string
  readonly cost: HashCost
  /** Whether it gives way to every request. */
  readonly isIdle: boolean
  start(): void
}

interface Lane {
  /** Virtual time: estimated work the tenant received since the queue was last empty. */
  servedMs: number
  readonly jobs: HashJob[]
}

/**
 * The waiting jobs of each tenant, in start-time fair queueing: the tenant with the least virtual time is next. Within a
 * tenant, first in, first out.
 */
export class TenantLanes {
  /** Tenants with waiting jobs, and those whose virtual time is ahead of the queue's. */
  readonly #lanes = new Map<string, Lane>()
  /** Virtual time of the tenant served last. A tenant that arrives starts there, without credit for unused turns. */
  #virtualMs = 0
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  add(job: HashJob): void {
    const lane = this.#lanes.get(job.tenantId) ?? { servedMs: this.#virtualMs, jobs: [] }
    if (lane.jobs.length === 0) lane.servedMs = Math.max(lane.servedMs, this.#virtualMs)
    lane.jobs.push(job)
    this.#lanes.set(job.tenantId, lane)
    this.#waiting++
  }

  /** Drops a waiting job. */
  remove(job: HashJob): void {
    const { jobs } = this.#lanes.get(job.tenantId)!
    jobs.splice(jobs.indexOf(job), 1)
    this.#waiting--
  }

  /** Calls `visit` with the cost of each job that would start before one that this tenant adds now. */
  visitAhead(tenantId: string, visit: (cost: HashCost) => void): void {
    const own = this.#lanes.get(tenantId)
    const turn =
      own === undefined ? this.#virtualMs : own.jobs.reduce((sum, job) => sum + job.cost.workMs, own.servedMs)
    for (const lane of this.#lanes.values()) {
      let { servedMs } = lane
      for (const job of lane.jobs) {
        if (servedMs > turn) break
        visit(job.cost)
        servedMs += job.cost.workMs
      }
    }
  }

  /** Removes the next job and returns it, if there is one and `fits` accepts it. */
  takeNext(fits: (cost: HashCost) => boolean): HashJob | undefined {
    const lane = this.#next()
    const job = lane?.jobs[0]
    // Smaller jobs do not overtake a large one, or it could wait forever.
    if (lane === undefined || job === undefined || !fits(job.cost)) return undefined
    lane.jobs.shift()
    this.#waiting--
    this.#virtualMs = lane.servedMs
    lane.servedMs += job.cost.workMs
    return job
  }

  /** Forgets all virtual times. Only valid when no job waits. */
  reset(): void {
    this.#lanes.clear()
    this.#virtualMs = 0
  }

  /** The lane to serve next. Removes empty lanes whose virtual time the queue has reached. */
  #next(): Lane | undefined {
    let first: Lane | undefined
    for (const [tenantId, lane] of this.#lanes) {
      if (lane.jobs.length === 0) {
        if (lane.servedMs <= this.#virtualMs) this.#lanes.delete(tenantId)
      } else if (first === undefined || lane.servedMs < first.servedMs) first = lane
    }
    return first
  }
}
