import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Requests that take longer are cut off; supervisors may expect the exit within 5 seconds. */
const longestMs = 4_000

/** Ends the process with exit code 1 after a fatal error, so that a supervisor restarts it. */
interface FatalExit {
  /** Logs the error, answers the requests in flight, and exits. Later calls have no effect. */
  report(error: Error): void
  /** The servers with requests in flight. */
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
      // Also if a signal arrives now, which would exit with 0.
      process.on('exit', () => {
        process.exitCode = 1
      })
      setTimeout(() => process.exit(1), longestMs)
      // Nothing else is closed: the failed database can no longer store the outbox and key uses.
      Promise.allSettled(fatalExit.servers.map((server) => server.close())).finally(() => process.exit(1))
    },
  }
  return fatalExit
}
