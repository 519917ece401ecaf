/** Random delays that can all be ended early. */
export class Pauses {
  readonly #running = new Set<() => void>()

  /** Resolves after a random time of at most `mostMs`, or when `endAll` is called. */
  begin(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#running.delete(end)
        resolve()
      }
      const timer = setTimeout(end, Math.random() * mostMs)
      this.#running.add(end)
    })
  }

  endAll(): void {
    for (const end of this.#running) end()
  }
}
