import { Worker } from 'node:worker_threads'
import type { SqliteConnection } from './connection.ts'
import type { DiskHealth } from './disk-health.ts'
import type { FileSync } from './file-sync.ts'
import { isSyncFailure } from './sqlite-error.ts'

/** The error of a checkpoint. Error objects lose their `errcode` between threads. */
interface CheckpointFailure {
  readonly message: string
  readonly errcode: number
}

interface CheckpointerOptions {
  readonly path: string
  readonly file: Pick<FileSync, 'run'>
  readonly health: DiskHealth
  /** A checkpoint starts when the log has this many frames that are not in the database file. */
  readonly frames: number
}

/** Writes wait for a checkpoint, so that the log can start again, when it is this many times as long as what starts one. */
const boundFactor = 4
/**
 * After a transaction of more frames than start a checkpoint, such as those of a backlog of events, the limits are these
 * multiples of its frames: the log takes four of them. With the usual limits every second one would wait until all its pages
 * are copied.
 */
const large = { start: 1.5, wait: 2.5 }
/** They wait once this part of what starts a checkpoint is left to copy: the fewer pages, the shorter the wait. */
const waitPart = 1 / 8

/**
 * Copies pages from the write-ahead log into the database file, on a separate thread that starts when it is first needed.
 * Checkpoints are passive: they wait for no reader and no writer.
 */
export class Checkpointer {
  readonly #writer: Pick<SqliteConnection, 'logFrames' | 'checkpoint'>
  readonly #options: CheckpointerOptions
  /** The length of the log after the last transaction; null before the first. */
  #log: number | null = null
  /** Writes do not wait for a checkpoint while the log is shorter. */
  #waitedUntil = 0
  #running: Promise<void> | null = null
  #worker: Worker | null = null
  /** Once the thread failed to start or ended, checkpoints run on this one. */
  #isInline = false
  /** Settles the checkpoint that the worker runs. */
  #settle: ((failure: CheckpointFailure | 'ended' | null) => void) | null = null

  constructor(writer: Pick<SqliteConnection, 'logFrames' | 'checkpoint'>, options: CheckpointerOptions) {
    this.#writer = writer
    this.#options = options
  }

  /** Call between transactions; start the next one when it resolves. It waits only when the log is at its bound. */
  async afterCommit(): Promise<void> {
    try {
      const { frames } = this.#options
      const { log, checkpointed } = this.#writer.logFrames()
      const left = log - checkpointed
      const written = this.#written(log)
      const isLarge = written > frames
      const start = isLarge ? large.start * written : frames
      const bound = Math.max(boundFactor * frames, isLarge ? large.wait * written : 0)
      if (log < bound) this.#waitedUntil = 0
      const waitFrom = Math.max(bound, this.#waitedUntil)
      const mustStartAgain = log >= waitFrom
      // Writes can be faster than checkpoints.
      const cannotWaitLonger = log >= waitFrom + Math.max(frames, written)
      if (cannotWaitLonger || (mustStartAgain && left <= frames * waitPart)) await this.#catchUp(log)
      else if (mustStartAgain || left >= start) void this.#checkpoint()
    } catch (error) {
      this.#note(error)
    }
  }

  /** The frames of the last transaction, which may have started the log again; 0 when they are not known. */
  #written(log: number): number {
    const before = this.#log ?? log
    this.#log = log
    return log < before ? log : log - before
  }

  /** Resolves when the thread has closed the file. */
  async close(): Promise<void> {
    await this.#running
    await this.#worker?.terminate()
  }

  /**
   * A passive checkpoint during a write leaves out the newest frames. When it has copied all of them, the next write
   * starts the log from its beginning.
   */
  async #catchUp(log: number): Promise<void> {
    await this.#running
    await this.#checkpoint()
    // A long read transaction, such as that of a backup, keeps its frames. Writes do not wait for it again and again.
    this.#waitedUntil = log + this.#options.frames
  }

  #checkpoint(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /**
   * SQLite syncs the file only when it has copied all frames, which is while writes wait. So every other checkpoint syncs
   * what it has copied, and leaves little to that one.
   */
  async #run(): Promise<void> {
    await this.#copy()
    try {
      const { log, checkpointed } = this.#writer.logFrames()
      if (checkpointed < log) await this.#options.file.run()
    } catch (error) {
      this.#note(error)
    }
  }

  async #copy(): Promise<void> {
    const failure = this.#isInline ? 'ended' : await this.#runInWorker()
    if (failure === null) return
    if (failure !== 'ended') return this.#note(Object.assign(new Error(failure.message), { errcode: failure.errcode }))
    this.#isInline = true
    try {
      this.#writer.checkpoint()
    } catch (error) {
      this.#note(error)
    }
  }

  async #runInWorker(): Promise<CheckpointFailure | 'ended' | null> {
    this.#worker ??= this.#startWorker()
    this.#worker.ref()
    const failure = await new Promise<CheckpointFailure | 'ended' | null>((resolve) => {
      this.#settle = resolve
      this.#worker!.postMessage(null)
    })
    // An idle thread does not keep the process alive.
    this.#worker.unref()
    return failure
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: this.#options.path })
    worker.on('message', (failure: CheckpointFailure | null) => this.#settle?.(failure))
    // It cannot open the file or get a thread; it exits afterwards.
    worker.on('error', () => {})
    worker.on('exit', () => this.#settle?.('ended'))
    return worker
  }

  /** No write depends on a checkpoint, but after a failed fsync none can be trusted. */
  #note(error: unknown): void {
    if (isSyncFailure(error)) this.#options.health.fail(error)
    else this.#options.health.refusalOf(error)
  }
}
