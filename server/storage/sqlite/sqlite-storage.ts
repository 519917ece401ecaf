import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { createPrivateFolder } from '../../core/private-folder.ts'
import type { Executor } from '../database.ts'
import { migrate } from '../migrate.ts'
import { migrations as allMigrations } from '../migrations.ts'
import type { Migration } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import type { CallerRecord, DatabaseUsage, Storage, Stores, SystemStores, TenantStorage, Tx } from '../storage.ts'
import { CallerRecords } from '../stores/caller-record.ts'
import { systemStores } from '../stores/system-stores.ts'
import { TenantStores } from '../stores/tenant-stores.ts'
import { Checkpointer } from './checkpointer.ts'
import { SqliteConnection, type SqliteHooks } from './connection.ts'
import { explainedFileError, explainingFileErrors } from './database-file-error.ts'
import { DiskHealth, unavailable } from './disk-health.ts'
import { DiskProbe } from './disk-probe.ts'
import { FileCheck } from './file-check.ts'
import { FileSync } from './file-sync.ts'
import { GroupCommit } from './group-commit.ts'
import { GroupRead } from './group-read.ts'
import { findLatestTime } from './latest-time.ts'
import { moveTaken } from './move-events.ts'
import { retryWhileBusy } from './sqlite-error.ts'
import { sqliteExecutor } from './sqlite-executor.ts'
import { sqliteSchema } from './sqlite-schema.ts'
import type { WriteAttempt } from './write-attempt.ts'

export interface SqliteStorageOptions {
  /** The database file. Its folder is created if it does not exist. */
  readonly path: string
  /** How long a write waits for another process's lock, in milliseconds; default 5,000. */
  readonly busyTimeoutMs?: number
  /** The maximum number of writes that share a COMMIT; default 256. */
  readonly groupSize?: number
  /**
   * How many frames of the write-ahead log start a checkpoint; default 4,000. That is rarer than SQLite's default of 1,000,
   * so a page that changes often is copied into the database less often. Four times as many make writes wait for one.
   */
  readonly checkpointFrames?: number
  /** The maximum size of the file, in pages of 4 KiB; default unlimited. */
  readonly maxPages?: number
  /** Called once when an fsync failed: writes are refused until the process is restarted. */
  readonly onFatal?: (error: Error) => void
  /** Called when the database was empty before. */
  readonly onCreated?: () => void
  /** For tests. */
  readonly hooks?: SqliteHooks
  /** For tests; default all. */
  readonly migrations?: readonly Migration[]
}

/**
 * Two caches of 8 MB: with 100,000 users, 32 MB made no request faster, because the operating system has the pages too.
 * Without `temp_store`, savepoints of a large group and sorted rows spill to files in the system's temporary folder, which
 * a hardened container may lack.
 */
const memory = 'PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY'

/** Another process may be running migrations, which take longer than a write. */
const openingBusyTimeoutMs = 30_000

/**
 * Opens a database file, runs migrations, and returns the storage.
 * Throws when the file cannot be opened, is not a database, is newer than this program, or stays locked.
 */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { path, hooks = {} } = options
  explainingFileErrors(path, () => createPrivately(path))
  const writer = await openWriter(path, hooks, options.maxPages)
  try {
    const schema = sqliteSchema(writer, openingBusyTimeoutMs)
    if (await migrate(schema, options.migrations ?? allMigrations, Date.now())) options.onCreated?.()
    writer.execute('PRAGMA synchronous = NORMAL')
    const reader = await openReader(path, hooks)
    const log = FileSync.ofLog(path)
    // A process that was killed between a COMMIT and its sync has left transactions that are visible by now.
    await log.run()
    return new SqliteStorage(writer, reader, { log, file: FileSync.ofDatabase(path) }, options)
  } catch (error) {
    writer.close()
    throw explainedFileError(path, error)
  }
}

/** Only the owner can read the file, because it contains addresses, password hashes and sealed codes. */
function createPrivately(path: string): void {
  createPrivateFolder(dirname(path))
  closeSync(openSync(path, 'a', 0o600))
}

async function openWriter(path: string, hooks: SqliteHooks, maxPages: number | undefined): Promise<SqliteConnection> {
  const connection = new SqliteConnection({ path, readOnly: false, hooks })
  try {
    // Switching to WAL needs exclusive access, so of two processes that start together one waits.
    await retryWhileBusy(openingBusyTimeoutMs, () => connection.execute('PRAGMA journal_mode = WAL'))
    if (connection.pragma('journal_mode') !== 'wal')
      throw new Error(`${path} does not support WAL mode; move it to a local file system`)
    // FULL during migrations: COMMIT syncs the log. Later it is NORMAL, and `GroupCommit` syncs the log.
    connection.execute('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864')
    connection.execute(memory)
    if (maxPages !== undefined) connection.execute(`PRAGMA max_page_count = ${maxPages}`)
    return connection
  } catch (error) {
    connection.close()
    throw explainedFileError(path, error)
  }
}

async function openReader(path: string, hooks: SqliteHooks): Promise<SqliteConnection> {
  const connection = new SqliteConnection({ path, readOnly: true, hooks })
  await retryWhileBusy(openingBusyTimeoutMs, () => connection.execute(memory))
  return connection
}

const ping = systemStatement('sqlite.ping', 'SELECT id FROM schema_migrations LIMIT 1')

interface Syncs {
  readonly log: FileSync
  readonly file: FileSync
}

/** Reads on one connection and writes in groups on another. */
class SqliteStorage implements Storage {
  readonly system: SystemStores
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #syncs: Syncs
  readonly #checkpoints: Checkpointer
  readonly #groups: GroupCommit
  readonly #reads: GroupRead
  readonly #executor: Executor
  readonly #callerRecords: CallerRecords
  readonly #health: DiskHealth
  readonly #probe: DiskProbe
  readonly #check: FileCheck
  #closed: Promise<void> | null = null

  constructor(writer: SqliteConnection, reader: SqliteConnection, syncs: Syncs, options: SqliteStorageOptions) {
    const { busyTimeoutMs = 5_000, groupSize = 256, checkpointFrames = 4_000 } = options
    const health = new DiskHealth(options.onFatal)
    const reads = new GroupRead(reader, busyTimeoutMs, health)
    const checkpoints = new Checkpointer(writer, {
      ...{ path: options.path, file: syncs.file, health, frames: checkpointFrames },
    })
    const durability = { log: syncs.log, reads: reads.snapshot, checkpoints }
    const groups = new GroupCommit(writer, { busyTimeoutMs, groupSize, health, durability })
    this.#health = health
    this.#reads = reads
    this.#writer = writer
    this.#reader = reader
    this.#syncs = syncs
    this.#checkpoints = checkpoints
    this.#groups = groups
    this.#executor = sqliteExecutor(reads, groups)
    this.#callerRecords = new CallerRecords(this.#executor)
    this.#probe = new DiskProbe(options.path, this.#executor)
    this.#check = new FileCheck(options.path)
    this.system = systemStores(this.#executor, { moveEvents: moveTaken })
  }

  callerRecord(keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    return this.#callerRecords.find(keyId, sessionId)
  }

  forTenant(tenantId: string): TenantStorage {
    return new SqliteTenantStorage(this.#executor, tenantId, this.#groups)
  }

  async now(): Promise<null> {
    return null
  }

  latestTime(): Promise<number | null> {
    return this.#executor.read(findLatestTime)
  }

  /** Probes with a write only after a fault, or when the disk is nearly full. */
  async ping(): Promise<void> {
    const { fault, failure } = this.#health
    if (failure === null && fault?.kind === 'corrupt') this.#check.start(() => this.#health.clear())
    if (failure !== null || fault?.kind === 'corrupt') throw unavailable(fault!)
    if (fault !== null || (await this.#probe.isDiskNearlyFull())) {
      await this.#probe.run()
      this.#health.clear()
    }
    await this.#executor.read(async (sql) => sql.row(ping))
  }

  get failure(): Error | null {
    return this.#health.failure
  }

  get usage(): DatabaseUsage {
    return { engine: 'sqlite', ...this.#groups.usage }
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.#groups.close(), this.#reads.close(), this.#check.close()]).then(async () => {
      await this.#checkpoints.close()
      this.#syncs.log.close()
      this.#reader.close()
      this.#writer.close()
      this.#syncs.file.close()
    })
    return this.#closed
  }
}

class SqliteTenantStorage extends TenantStores implements TenantStorage {
  readonly #groups: GroupCommit

  constructor(executor: Executor, tenantId: string, groups: GroupCommit) {
    super(executor, tenantId)
    this.#groups = groups
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#groups.write((attempt) => work(new SqliteTx(attempt, this.tenantId)))
  }

  /** SQLite runs one write transaction at a time, so a transaction from the outset costs nothing and never conflicts. */
  writeOptimistically<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.write(work)
  }
}

class SqliteTx extends TenantStores implements Tx {
  readonly #attempt: WriteAttempt

  constructor(attempt: WriteAttempt, tenantId: string) {
    super(attempt, tenantId)
    this.#attempt = attempt
  }

  onCommit(then: () => void): void {
    this.#attempt.onCommit(then)
  }
}
