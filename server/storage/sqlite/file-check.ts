import { Worker } from 'node:worker_threads'

/** The pause between two checks, in milliseconds: each reads the whole file. */
const pauseMs = 10_000

/** Checks a database file that may be corrupt, on a separate thread. */
export class FileCheck {
  readonly #path: string
  #worker: Worker | null = null
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Starts a check, unless one is running or has just ended.
   * @param onIntact called when every page is readable and valid
   */
  start(onIntact: () => void): void {
    if (this.#worker !== null || performance.now() - this.#endedAt < pauseMs) return
    const worker = new Worker(new URL('./file-check-worker.ts', import.meta.url), { workerData: this.#path })
    this.#worker = worker
    worker.unref()
    worker.on('message', (isIntact: boolean) => {
      if (isIntact) onIntact()
    })
    // The file cannot be opened. The next check will report whether it can be.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = null
      this.#endedAt = performance.now()
    })
  }

  /** Resolves when the thread has closed the file. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}
