import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { syncFailure } from './sqlite-error.ts'

/**
 * Makes the write-ahead log of a database file durable, on the thread pool. With `synchronous = NORMAL` a COMMIT in WAL
 * mode writes the same frames in the same order as with FULL and leaves out only the last step, which is this one.
 */
export class WalSync {
  readonly #fd: number

  /** @param path the database file, which a connection has open, so that its log exists and is not replaced */
  constructor(path: string) {
    // SQLite puts the log beside the file that a symbolic link names. It holds no locks on the log, so closing this
    // descriptor drops none.
    this.#fd = openSync(`${realpathSync(path)}-wal`, 'r+')
  }

  /**
   * Resolves when all frames written so far are durable.
   * @throws an error like that of a COMMIT whose fsync failed
   */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(syncFailure(error))))
    })
  }

  close(): void {
    closeSync(this.#fd)
  }
}
