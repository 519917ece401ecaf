import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Shorter than the 5 seconds that a supervisor may count on: whatever does not end by then is cut off. */
const longestMs = 4_000

/** Ends the process with code 1 when it can no longer do its work, so that a supervisor restarts it. */
export interface FatalExit {
  /** Logs the error, answers the requests in flight, and exits. Later errors change nothing. */
  report(error: Error): void
  /** Those that have requests in flight. */
  servers: readonly FastifyInstance[]
}

export function createFatalExit(logger: FastifyBaseLogger): FatalExit {
  let reported = false
  const fatalExit: FatalExit = {
    servers: [],
    report(error) {
      if (reported) return
      reported = true
      logger.fatal({ err: error }, 'database failed; exiting with code 1 to be restarted')
      // Also when a signal arrives now and ends the process with 0.
      process.on('exit', () => {
        process.exitCode = 1
      })
      setTimeout(() => process.exit(1), longestMs)
      // Nothing else is closed: the outbox and the last uses of keys cannot be stored any more.
      Promise.allSettled(fatalExit.servers.map((server) => server.close())).finally(() => process.exit(1))
    },
  }
  return fatalExit
}
