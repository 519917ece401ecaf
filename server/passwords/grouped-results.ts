/** The longest time that a result is held back, in milliseconds. */
const longestMs = 50

/**
 * Hands results over in groups. A password hash fills the processor's caches with its own memory, so what a request does
 * between two hashes takes several times as long as the same work right after another request.
 */
export class GroupedResults {
  readonly #held: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  /**
   * Calls `settle` with the next group.
   * @param isLast whether no further result is expected, so that none is worth waiting for
   */
  add(settle: () => void, isLast: boolean): void {
    this.#held.push(settle)
    if (isLast) this.#handOver()
    else this.#timer ??= setTimeout(() => this.#handOver(), longestMs)
  }

  #handOver(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const settle of this.#held.splice(0)) settle()
  }
}
