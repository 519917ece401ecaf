import type { FastifyBaseLogger } from 'fastify'

interface BackgroundPassOptions {
  /** The name of the task in logs. */
  readonly task: string
  /** One pass. When the signal is aborted it ends soon. */
  readonly pass: (stopping: AbortSignal) => Promise<void>
  readonly logger: Pick<FastifyBaseLogger, 'error'>
  /** Called after each complete pass that did not fail. */
  readonly onSuccess?: () => void
}

/** Background work in passes, one at a time. What comes up during a pass is done by one more pass after it. */
export class BackgroundPass {
  readonly #options: BackgroundPassOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  #isWanted = false

  constructor(options: BackgroundPassOptions) {
    this.#options = options
  }

  /** Aborted by `stop`. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Starts a pass, or another one after the current pass. Does not wait. */
  wake(): void {
    void this.run()
  }

  /** Runs a full pass. Never rejects: failures are logged. */
  run(): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Starts no more passes, and waits for the end of the current one. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { task, pass, logger, onSuccess } = this.#options
    while (this.#isWanted && !this.stopping.aborted) {
      this.#isWanted = false
      try {
        await pass(this.stopping)
        if (!this.stopping.aborted) onSuccess?.()
      } catch (err) {
        if (!this.stopping.aborted) logger.error({ task, err }, 'housekeeping task failed; retrying in 60 s')
      }
    }
    // Not with `finally`, which runs later: a call in between would be lost.
    this.#running = null
  }
}
