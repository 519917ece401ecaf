/** Times further ahead come from a wrong clock; closer ones (daylight saving, time zones) are accepted. */
export const BELIEVABLE_SKEW = 24 * 3600 * 1000

/**
 * The times, in epoch milliseconds and ascending order, at which one subject was counted: a ring buffer that grows with
 * its content, not with the quota.
 */
export class SlidingLog {
  #times: number[] = [Number.NaN, Number.NaN] // Not 0: V8 would convert an array of small integers at the first time.
  #first = 0
  #size = 0

  /** The number of times. */
  get size(): number {
    return this.#size
  }

  /** The oldest time; only meaningful when `size` is not 0. */
  get oldest(): number {
    return this.#times[this.#first]!
  }

  /** The newest time; only meaningful when `size` is not 0. */
  get newest(): number {
    return this.#at(this.#size - 1)
  }

  static of(...times: number[]): SlidingLog {
    const log = new SlidingLog()
    for (const time of times) log.add(time)
    return log
  }

  /** Parses the output of `toText`. */
  static fromText(text: string): SlidingLog {
    const log = new SlidingLog()
    let time = 0
    for (const step of text === '' ? [] : text.split(' ')) {
      time += Number.parseInt(step, 36)
      log.add(time)
    }
    return log
  }

  /** The first time and the difference of each to the next, in base 36, separated by spaces: about three bytes per time. */
  toText(): string {
    const steps: string[] = []
    for (let place = 0; place < this.#size; place++) {
      steps.push((this.#at(place) - (place === 0 ? 0 : this.#at(place - 1))).toString(36))
    }
    return steps.join(' ')
  }

  /**
   * Removes times that left the window: `t` counts while `now < t + window`, so a clock that goes back removes nothing
   * (threat G13). If the clock was more than a day ahead, the times ahead of `now` become `now`: they count for one more
   * window, but do not lock a client out for the year the clock was wrong by.
   */
  forgetBefore(now: number, windowMs: number): void {
    while (this.#size > 0 && now >= this.oldest + windowMs) {
      this.#first = this.#slot(1)
      this.#size--
    }
    if (this.#size === 0 || this.newest <= now + BELIEVABLE_SKEW) return
    for (let place = this.#size - 1; place >= 0 && this.#at(place) > now; place--) this.#put(place, now)
  }

  /** Inserts a time: at the end, unless the clock has gone back since the last one. */
  add(time: number): void {
    if (this.#size === this.#times.length) this.#grow()
    let place = this.#size++
    for (; place > 0 && this.#at(place - 1) > time; place--) this.#put(place, this.#at(place - 1))
    this.#put(place, time)
  }

  /** Removes one occurrence of `time`, if there is one, searching from the end. */
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

  /** Doubles the capacity, which stays a power of two so that a slot is found with a mask. */
  #grow(): void {
    // A full ring repeated twice contains all times in sequence from any start.
    this.#times = this.#times.concat(this.#times)
  }
}
