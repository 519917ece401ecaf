import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'

/** One piece of background work. */
export interface HousekeepingTask {
  /** Label in metrics and logs, in snake case. */
  readonly name: string
  /** @param now epoch milliseconds, the same for all tasks of a round */
  run(now: number): Promise<void> | void
  /** Set when `run` only starts the work, which may take longer than a round and reports success and failure itself. */
  readonly reportsItself?: true
}

/** Runs the tasks once a minute. */
export interface Housekeeping {
  start(): void
  /** Waits for the round in progress. */
  stop(): Promise<void>
  /** Runs one round now, or joins the round in progress. Never rejects. */
  run(): Promise<void>
}

/** The dependencies of housekeeping. */
interface HousekeepingOptions {
  readonly tasks: readonly HousekeepingTask[]
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'error'>
  /** Called after each task that succeeded. */
  readonly onSuccess: (task: string, now: number) => void
}

const roundMs = 60_000

/** Tasks run in order, one at a time. A task that fails is logged and does not affect the others. */
export function createHousekeeping({ tasks, clock, logger, onSuccess }: HousekeepingOptions): Housekeeping {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null

  async function round(): Promise<void> {
    const now = clock.now()
    for (const task of tasks) {
      try {
        await task.run(now)
        if (!task.reportsItself) onSuccess(task.name, clock.now())
      } catch (error) {
        logger.error({ task: task.name, err: error }, 'housekeeping task failed; retrying in 60 s')
      }
    }
  }

  const run = (): Promise<void> => {
    running ??= round().finally(() => {
      running = null
    })
    return running
  }

  return {
    start() {
      timer = setInterval(run, roundMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
    run,
  }
}
