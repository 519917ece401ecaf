import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

/** A database in use needs this much space within seconds. With less, readiness checks try a write first. */
const nearlyFullBytes = 1024 * 1024
/** The probe writes more than a few requests do, and more than fits into free pages of the file. */
const probeText = 'x'.repeat(65_536)
/** The row is expired from the start, so housekeeping deletes it if the process dies during a probe. */
const probeId = 'disk-probe'

const write = systemStatement(
  'sqlite.probeWrite',
  `INSERT INTO limit_logs (id, revision, times, expires_at) VALUES ($1, '', $2, 0)
   ON CONFLICT (id) DO UPDATE SET times = excluded.times`,
)
const read = systemStatement('sqlite.probeRead', 'SELECT times FROM limit_logs WHERE id = $1')
const erase = systemStatement('sqlite.probeErase', 'DELETE FROM limit_logs WHERE id = $1')

/** Checks whether the database is writable before a client's write fails. */
export class DiskProbe {
  readonly #folder: string
  readonly #executor: Executor
  #running: Promise<void> | null = null

  constructor(path: string, executor: Executor) {
    this.#folder = dirname(path)
    this.#executor = executor
  }

  /** Whether the next writes may run out of space; costs one system call. */
  async isDiskNearlyFull(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize < nearlyFullBytes
  }

  /** Writes 64 KiB, reads it back and deletes it. Concurrent callers share one probe. Throws what a write throws. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #run(): Promise<void> {
    await this.#executor.effect(write, probeId, probeText)
    await this.#executor.read(async (sql) => sql.row(read, probeId))
    await this.#executor.effect(erase, probeId)
  }
}
