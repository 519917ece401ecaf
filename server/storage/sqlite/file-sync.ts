import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { syncFailure } from './sqlite-error.ts'

/** Makes what was written to a file durable, on the thread pool. */
export class FileSync {
  readonly #fd: number

  private constructor(path: string) {
    this.#fd = openSync(path, 'r+')
  }

  /**
   * The write-ahead log of a database file, which a connection has open, so that its log exists and is not replaced.
   * With `synchronous = NORMAL` a COMMIT in WAL mode writes the same frames in the same order as with FULL and leaves out
   * only the last step, which is this one. SQLite holds no locks on the log, so closing this descriptor drops none.
   */
  static ofLog(path: string): FileSync {
    // SQLite puts the log beside the file that a symbolic link names.
    return new FileSync(`${realpathSync(path)}-wal`)
  }

  /** The database file itself. Close it after the last connection of this process: that drops the locks of all of them. */
  static ofDatabase(path: string): FileSync {
    return new FileSync(path)
  }

  /**
   * Resolves when everything written so far is durable.
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
