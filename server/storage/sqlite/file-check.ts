import { Worker } from 'node:worker_threads'

/** Between the end of one check and the beginning of the next, in milliseconds: each reads the whole file. */
const pauseMs = 10_000

/** Checks the whole database file in the background, while it is suspected of being corrupt. */
export class FileCheck {
  readonly #path: string
  #worker: Worker | null = null
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Begins a check, unless one is under way or has just ended.
   * @param onSound called when every page could be read and made sense
   */
  begin(onSound: () => void): void {
    if (this.#worker !== null || performance.now() - this.#endedAt < pauseMs) return
    const worker = new Worker(new URL('./file-check-worker.ts', import.meta.url), { workerData: this.#path })
    this.#worker = worker
    worker.unref()
    worker.on('message', (isSound: boolean) => {
      if (isSound) onSound()
    })
    // A file that cannot even be opened: the next check tells.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = null
      this.#endedAt = performance.now()
    })
  }

  /** Resolves when no thread has the file open any more. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}
