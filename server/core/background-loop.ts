export interface BackgroundLoopOptions {
  /**
   * One turn. `more`: the next one follows immediately. `idle`: it follows with a signal or the next poll. A number: it
   * follows after so many milliseconds, or with a signal.
   */
  readonly turn: () => Promise<'more' | 'idle' | number>
  /** A turn failed; the next one follows after the poll interval, or at once with `stop`. */
  readonly onFailure: (error: unknown) => void
  /** Called when the next turn follows because of the poll. */
  readonly onPoll?: () => void
  /** Whether work is under way: it is not idle, and `stop` waits for it. */
  readonly isBusy: () => boolean
  /** How soon work of another process is noticed. 1 s by default. */
  readonly pollMs?: number
  /** How long `stop` waits for work under way. 5 s by default. */
  readonly drainTimeoutMs?: number
}

const defaultPollMs = 1_000
const defaultDrainTimeoutMs = 5_000
/** The poll interval while stopping. */
const stoppingPollMs = 10

/** Runs the turns of background work one after the other: until it is idle, then with each signal and each poll. */
export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions
  readonly #pollMs: number
  #running: Promise<void> | null = null
  #stopped = true
  #signalled = false
  /** A `wake` has not signalled yet. */
  #waking = false
  /** Ends the current wait, unless it follows a failure. */
  #resume = () => {}
  /** Ends the current wait, also after a failure. */
  #endWait = () => {}
  #drainTimeout = new AbortController()
  /** Resolved after a complete turn that found nothing to do. */
  readonly #onIdle: (() => void)[] = []

  constructor(options: BackgroundLoopOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? defaultPollMs
  }

  get isStopped(): boolean {
    return this.#stopped
  }

  get isDraining(): boolean {
    return this.#onIdle.length > 0
  }

  /** Aborted when `stop` has waited for the drain timeout. */
  get drainTimeout(): AbortSignal {
    return this.#drainTimeout.signal
  }

  start(): void {
    this.#stopped = false
    this.#drainTimeout = new AbortController()
    this.#running ??= this.#run()
  }

  /** Begins a turn, or one more after the current one. */
  signal(): void {
    this.#signalled = true
    this.#resume()
  }

  /** As `signal`, when the event loop turns: callers that follow each other share it. */
  wake(): void {
    if (this.#signalled || this.#waking) return
    this.#waking = true
    setImmediate(() => {
      this.#waking = false
      this.signal()
    })
  }

  /** Waits until no work is under way, or the drain timeout is over. */
  async stop(): Promise<void> {
    this.#stopped = true
    const timeoutMs = this.#options.drainTimeoutMs ?? defaultDrainTimeoutMs
    const timer = setTimeout(() => {
      this.#drainTimeout.abort()
      this.#endWait()
    }, timeoutMs)
    this.signal()
    this.#endWait()
    await this.#running
    clearTimeout(timer)
    this.#running = null
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Resolves after a complete turn that found nothing to do, or when stopped. */
  drain(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle.push(resolve)
      this.signal()
    })
  }

  async #run(): Promise<void> {
    const { isBusy } = this.#options
    while (!this.#stopped || isBusy()) {
      this.#signalled = false
      const waiting = this.#onIdle.length
      const turn = await this.#options.turn().catch((error: unknown) => this.#failed(error))
      // The database may be unavailable for longer than the shutdown may take.
      if (turn === 'failed' && this.drainTimeout.aborted) break
      if (turn === 'more' || (this.#signalled && turn !== 'failed')) continue
      if (turn === 'idle' && !isBusy()) for (const resolve of this.#onIdle.splice(0, waiting)) resolve()
      if (this.#stopped && !isBusy()) break
      await this.#nextSignal(turn)
    }
  }

  #failed(error: unknown): 'failed' {
    this.#options.onFailure(error)
    return 'failed'
  }

  /**
   * Waits for a signal, the next poll or the end of a pause. After a failure it waits for the poll or `stop`, so that a
   * failing database is not queried in a tight loop.
   */
  #nextSignal(turn: 'idle' | 'failed' | number): Promise<void> {
    return new Promise((resolve) => {
      const poll = () => {
        this.#options.onPoll?.()
        resolve()
      }
      const untilPoll = this.#stopped && turn !== 'failed' ? stoppingPollMs : this.#pollMs
      const timer = setTimeout(poll, typeof turn === 'number' ? Math.min(turn, untilPoll) : untilPoll)
      this.#endWait = () => {
        clearTimeout(timer)
        resolve()
      }
      if (turn === 'failed') return
      timer.unref()
      this.#resume = this.#endWait
    })
  }
}
