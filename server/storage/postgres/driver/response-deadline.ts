/**
 * How often the system probes an idle connection. Firewalls and gateways silently forget one that is idle for some minutes;
 * the system's own interval is two hours.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 }

/** The share of the timeout that the server still gets after it, in which both run. */
const graceShare = 0.1

/** Notices when the server stops answering: statements are in flight, and no answer arrives within the timeout. */
export class ResponseDeadline {
  readonly #timeoutMs: number
  readonly #onTimeout: (timeoutMs: number) => void
  #timer: NodeJS.Timeout | undefined
  #inFlight = 0
  #answers = 0
  #suspended = false

  constructor(timeoutMs: number, onTimeout: (timeoutMs: number) => void) {
    this.#timeoutMs = timeoutMs
    this.#onTimeout = onTimeout
  }

  start(): void {
    this.#timer = setTimeout(() => this.#check(), this.#timeoutMs).unref()
  }

  noteSent(): void {
    if (this.#inFlight++ === 0) this.#timer?.refresh()
  }

  noteAnswered(): void {
    this.#inFlight--
    this.#answers++
    this.#timer?.refresh()
  }

  /** Allows any response time until `resume`. */
  suspend(): void {
    this.#suspended = true
  }

  resume(): void {
    this.#suspended = false
  }

  /**
   * The timer runs before sockets are read, so an answer may have arrived while this process was busy. And when a machine
   * was suspended with the server on it, the server goes on at the same time as this process.
   */
  #check(): void {
    const before = this.#answers
    setTimeout(() => {
      if (!this.#suspended && this.#inFlight > 0 && this.#answers === before) this.#onTimeout(this.#timeoutMs)
    }, this.#timeoutMs * graceShare).unref()
  }
}
