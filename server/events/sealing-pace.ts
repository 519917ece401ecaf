import { performance } from 'node:perf_hooks'

/** The time that an event loop has worked and waited so far, in milliseconds. */
export interface LoopTimes {
  readonly active: number
  readonly idle: number
}

export interface SealingPaceOptions {
  /** The percentage of the time that sealing takes when the process has no time left. */
  readonly share: number
  /** Writes that wait for the database. */
  readonly waiting: () => number
  /** For tests; default: those of this process. */
  readonly loopTimes?: () => LoopTimes
  /** For tests; default: the monotonic clock, in milliseconds. */
  readonly now?: () => number
}

/** The shortest window whose utilization says something. */
const windowMs = 20
/** How long the utilization of a window is assumed to last. */
const validMs = 500

/**
 * Decides how long sealing rests, so that it takes the time that requests leave, and at least its share. What requests take
 * is the utilization of the event loop while nothing is sealed: requests wait in sockets and in the database, so that no
 * queue of this process shows them all.
 */
export class SealingPace {
  readonly #share: number
  readonly #waiting: () => number
  readonly #loopTimes: () => LoopTimes
  readonly #now: () => number
  /** The utilization of the last window, 0 to 1, and when it ended. */
  #utilization = 0
  #measuredAt = Number.NEGATIVE_INFINITY
  /** Nothing was sealed since. */
  #window: { readonly at: number; readonly times: LoopTimes }
  /** The last transaction. */
  #sealed = { at: 0, heldMs: 0 }

  constructor({ share, waiting, loopTimes, now }: SealingPaceOptions) {
    this.#share = share / 100
    this.#waiting = waiting
    this.#loopTimes = loopTimes ?? (() => performance.eventLoopUtilization())
    this.#now = now ?? (() => performance.now())
    this.#window = this.#opened()
  }

  /** How long to wait before the next transaction: until the rest is over and the utilization is known. */
  get pauseMs(): number {
    const now = this.#now()
    this.#measure(now)
    const restMs = this.#sealed.at + this.#sealed.heldMs * (1 / this.#duty - 1) - now
    const unknownMs = now - this.#measuredAt <= validMs ? 0 : this.#window.at + windowMs - now
    return Math.max(restMs, unknownMs, 0)
  }

  /** Requests take most of the time: a transaction must not delay them for long. */
  get isCrowded(): boolean {
    return this.#load > 0.5
  }

  /** There are hardly any requests. */
  get isQuiet(): boolean {
    return this.#load < 0.02
  }

  /** A transaction ended that held the writer for so long; 0 when no rest is to follow. */
  sealed(heldMs: number): void {
    this.#sealed = { at: this.#now(), heldMs }
    this.#window = this.#opened()
  }

  #measure(now: number): void {
    const elapsedMs = now - this.#window.at
    if (elapsedMs < windowMs) return
    const { at, times } = this.#window
    this.#window = this.#opened()
    // Its average says little about the last moments.
    if (now - at > validMs) return
    const active = this.#window.times.active - times.active
    const total = active + this.#window.times.idle - times.idle
    this.#utilization = total > 0 ? active / total : 0
    this.#measuredAt = now
  }

  #opened(): { readonly at: number; readonly times: LoopTimes } {
    return { at: this.#now(), times: this.#loopTimes() }
  }

  /** 0: nothing else to do. 1: no time left. */
  get #load(): number {
    return this.#waiting() > 0 ? 1 : this.#utilization
  }

  /** The part of the time that sealing may take. */
  get #duty(): number {
    return Math.max(this.#share, 1 - this.#load)
  }
}
