/** Times further ahead come from a clock that was plainly wrong; nearer ones (summer time, time zones) are believed. */
export const BELIEVABLE_SKEW = 24 * 3600 * 1000

/**
 * The times, in epoch milliseconds and rising order, at which one subject was counted: a ring that grows with what it
 * holds, not with the quota.
 */
export class SlidingLog {
  #times: number[] = [Number.NaN, Number.NaN] // Not 0: an array that begins with small integers is rebuilt at once.
  #first = 0
  #size = 0

  /** How many times it holds. */
  get size(): number {
    return this.#size
  }

  /** The oldest time; only meaningful when `size` is not 0. */
  get oldest(): number {
    return this.#times[this.#first]!
  }

  /** The newest time; likewise. */
  get newest(): number {
    return this.#at(this.#size - 1)
  }

  /** Reads what `toText` wrote. */
  static fromText(text: string): SlidingLog {
    const log = new SlidingLog()
    let time = 0
    for (const step of text === '' ? [] : text.split(' ')) {
      time += Number.parseInt(step, 36)
      log.add(time)
    }
    return log
  }

  /** The first time and the steps from each to the next, in base 36 with spaces between: three bytes a time or so. */
  toText(): string {
    const steps: string[] = []
    for (let place = 0; place < this.#size; place++) {
      steps.push((this.#at(place) - (place === 0 ? 0 : this.#at(place - 1))).toString(36))
    }
    return steps.join(' ')
  }

  /**
   * Forgets what left the window: a time `t` is held while `now < t + window`. A clock that goes back therefore forgets
   * nothing (threat G13). Only when it turns out to have been more than a day ahead do the times ahead of `now` become
   * `now`: they count for one more whole window, but lock nobody out for the year the clock was wrong by.
   */
  forgetBefore(now: number, windowMs: number): void {
    while (this.#size > 0 && now >= this.oldest + windowMs) {
      this.#first = this.#slot(1)
      this.#size--
    }
    if (this.#size === 0 || this.newest <= now + BELIEVABLE_SKEW) return
    for (let place = this.#size - 1; place >= 0 && this.#at(place) > now; place--) this.#put(place, now)
  }

  /** Notes a time: at the end, or in its place when the clock has gone back since the last one. */
  add(time: number): void {
    if (this.#size === this.#times.length) this.#grow()
    let place = this.#size++
    for (; place > 0 && this.#at(place - 1) > time; place--) this.#put(place, this.#at(place - 1))
    this.#put(place, time)
  }

  /** Forgets one note of `time`, if there is one; the latest are the likeliest. */
  remove(time: number): void {
    let place = this.#size - 1
    while (place >= 0 && this.#at(place) !== time) place--
    if (place < 0) return
    this.#size--
    for (; place < this.#size; place++) this.#put(place, this.#at(place + 1))
  }

  #slot(place: number): number {
    return (this.#first + place) & (this.#times.length - 1)
  }

  #at(place: number): number {
    return this.#times[this.#slot(place)]!
  }

  #put(place: number, time: number): void {
    this.#times[this.#slot(place)] = time
  }

  /** To twice the room; the length stays a power of two, so that a slot is found with a mask. */
  #grow(): void {
    // A full ring written twice in a row holds all its times unbroken from wherever the first one is.
    this.#times = this.#times.concat(this.#times)
  }
}
