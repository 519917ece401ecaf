import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'

/** One piece of background work. */
export interface HousekeepingTask {
  /** Label in metrics and logs, in snake case. */
  readonly name: string
  /** @param now epoch milliseconds, the same for all tasks that run in a row */
  run(now: number): Promise<void> | void
  /** Set when `run` only starts the work, which may take longer than a round and reports success and failure itself. */
  readonly reportsItself?: true
}

/** Runs the tasks once a minute. */
export interface Housekeeping {
  start(): void
  /**
   * Starts no more tasks, and waits for the one in progress. If that takes longer, closing the storage ends it: each of its
   * transactions is complete in itself.
   */
  stop(): Promise<void>
  /** Runs one round now, or joins the round in progress. Never rejects. */
  run(): Promise<void>
}

/** The dependencies of housekeeping. */
interface HousekeepingOptions {
  /** Tasks that take moments. They run every minute, also while one of the others takes longer. */
  readonly quickTasks: readonly HousekeepingTask[]
  /** Tasks that may take hours, such as erasing a large tenant. A round waits for them. */
  readonly tasks: readonly HousekeepingTask[]
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'error'>
  /** Called after each task that succeeded. */
  readonly onSuccess: (task: string, now: number) => void
}

const roundMs = 60_000
/** How long `stop` waits. */
const graceMs = 1_000

/** Tasks run in order, one at a time, the quick ones first. A task that fails is logged and does not affect the others. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { quickTasks, tasks, clock, logger, onSuccess } = options
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function runInOrder(these: readonly HousekeepingTask[]): Promise<void> {
    const now = clock.now()
    for (const task of these) {
      if (isStopped) return
      try {
        await task.run(now)
        if (!task.reportsItself) onSuccess(task.name, clock.now())
      } catch (error) {
        // The storage was closed.
        if (isStopped) return
        logger.error({ task: task.name, err: error }, 'housekeeping task failed; retrying in 60 s')
      }
    }
  }

  const runQuick = joined(() => runInOrder(quickTasks))
  const runAll = joined(async () => {
    await runQuick()
    await runInOrder(tasks)
  })
  const run = (): Promise<void> => {
    void runQuick()
    return runAll()
  }

  return {
    start() {
      timer = setInterval(run, roundMs).unref()
    },
    async stop() {
      clearInterval(timer)
      isStopped = true
      await Promise.race([Promise.all([runQuick(), runAll()]), delay(graceMs, undefined, { ref: false })])
    },
    run,
  }
}

/** Calls while the work is in progress join it. */
function joined(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
