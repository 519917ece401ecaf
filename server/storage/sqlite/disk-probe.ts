import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

/** Room that a database in use needs within seconds: below it readiness tries a write before it promises any. */
const nearlyFullBytes = 1024 * 1024
/** What the probe writes: more than a few requests need, and more than a page or two that happen to be free. */
const probeText = 'x'.repeat(65_536)
/** Expired from the beginning: should the process die in between, housekeeping removes it. */
const probeId = 'disk-probe'

const write = systemStatement(
  'sqlite.probeWrite',
  `INSERT INTO limit_logs (id, revision, times, expires_at) VALUES ($1, '', $2, 0)
   ON CONFLICT (id) DO UPDATE SET times = excluded.times`,
)
const read = systemStatement('sqlite.probeRead', 'SELECT times FROM limit_logs WHERE id = $1')
const erase = systemStatement('sqlite.probeErase', 'DELETE FROM limit_logs WHERE id = $1')

/** Finds out whether the database can be written, without waiting for a client's write to fail. */
export class DiskProbe {
  readonly #folder: string
  readonly #executor: Executor
  #running: Promise<void> | null = null

  constructor(path: string, executor: Executor) {
    this.#folder = dirname(path)
    this.#executor = executor
  }

  /** Whether the next writes may find no space; costs one system call. */
  async isDiskNearlyFull(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize < nearlyFullBytes
  }

  /** Writes 64 KiB, reads it back and erases it; callers at the same time share one probe. Throws what a write throws. */
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
