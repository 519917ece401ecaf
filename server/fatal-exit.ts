import type { FastifyBaseLogger } from 'fastify'

/** Shorter than the 5 seconds that a supervisor may count on: whatever does not end by then is cut off. */
const longestMs = 4_500

/** Ends the process with code 1 when it can no longer do its work, so that a supervisor restarts it. */
export interface FatalExit {
  /** Logs the error, closes what is open, and exits. Later errors change nothing. */
  report(error: Error): void
  /** What answers the requests in flight and closes; until it is set, the exit is immediate. */
  close: () => Promise<void>
}

export function createFatalExit(logger: FastifyBaseLogger): FatalExit {
  let reported = false
  const fatalExit: FatalExit = {
    close: async () => {},
    report(error) {
      if (reported) return
      reported = true
      logger.fatal({ err: error }, 'database failed; exiting with code 1 to be restarted')
      // Also when a signal arrives now and ends the process with 0.
      process.on('exit', () => {
        process.exitCode = 1
      })
      setTimeout(() => process.exit(1), longestMs)
      fatalExit
        .close()
        .catch((err: unknown) => logger.error({ err }, 'closing failed'))
        .finally(() => process.exit(1))
    },
  }
  return fatalExit
}
