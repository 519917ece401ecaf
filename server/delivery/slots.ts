/** Limits how many run at once; others wait in the order in which they came. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  /** @param count `Infinity` for no limit */
  constructor(count: number) {
    this.#free = count
  }

  /** Takes a free slot, which must be given back; false when there is none. */
  take(): boolean {
    if (this.#free === 0) return false
    this.#free--
    return true
  }

  /**
   * Takes the next slot that becomes free.
   * @param ms the longest wait
   * @param signal ends the wait
   * @returns false when none became free
   */
  async wait(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false
    return new Promise((resolve) => {
      const end = (taken: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.#waiting.delete(begin)
        resolve(taken)
      }
      const begin = () => end(true)
      const giveUp = () => end(false)
      const timer = setTimeout(giveUp, ms)
      signal?.addEventListener('abort', giveUp)
      this.#waiting.add(begin)
    })
  }

  giveBack(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else next()
  }
}
