/** Remembers a ring since the last reset, so that what happens while a stream reads is not missed. Rings when `ends` fires. */
export function createBell(ends: AbortSignal) {
  let isRung = false
  let answer = () => {}
  const ring = () => {
    isRung = true
    answer()
  }
  ends.addEventListener('abort', ring, { once: true })
  return {
    ring,
    reset() {
      isRung = ends.aborted
    },
    /** Resolves when it rings, or after `ms` milliseconds. */
    rung(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        answer = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isRung) answer()
      })
    },
  }
}
