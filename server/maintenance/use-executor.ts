import type { DatabaseSettings } from '../settings/database-settings.ts'
import type { Executor } from '../storage/database.ts'
import { ConnectionPool, DatabaseBusy } from '../storage/postgres/driver/connection-pool.ts'
import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'
import { postgresEngines } from '../storage/postgres/postgres-engines.ts'
import { PostgresExecutor } from '../storage/postgres/postgres-executor.ts'
import { refuseHiddenRows } from '../storage/postgres/row-level-security.ts'
import { preambleFor } from '../storage/postgres/transaction.ts'
import { SqliteConnection } from '../storage/sqlite/connection.ts'
import { DiskHealth } from '../storage/sqlite/disk-health.ts'
import { GroupCommit } from '../storage/sqlite/group-commit.ts'
import { GroupRead } from '../storage/sqlite/group-read.ts'
import { sqliteExecutor } from '../storage/sqlite/sqlite-executor.ts'
import { DatabaseUnavailable } from '../storage/storage-error.ts'
import type { PostgresPlace, SqlitePlace } from './place.ts'

type Work<T> = (executor: Executor) => Promise<T>

/** Long timeouts for locks and connections, in milliseconds: no client waits for this work. */
const timeoutMs = 30_000

/** Runs work with statements like those of a server; servers can run meanwhile. */
export const useExecutor = <T>(place: DatabaseSettings, work: Work<T>): Promise<T> =>
  place.engine === 'sqlite' ? useSqliteExecutor(place, work) : usePostgresExecutor(place, work)

async function useSqliteExecutor<T>({ path }: SqlitePlace, work: Work<T>): Promise<T> {
  const writer = new SqliteConnection({ path, readOnly: false, hooks: {} })
  const reader = new SqliteConnection({ path, readOnly: true, hooks: {} })
  writer.execute('PRAGMA synchronous = FULL')
  const health = new DiskHealth()
  const groups = new GroupCommit(writer, { busyTimeoutMs: timeoutMs, health, groupSize: 64 })
  const reads = new GroupRead(reader, timeoutMs, health)
  try {
    return await work(sqliteExecutor(reads, groups))
  } catch (error) {
    throw error instanceof DatabaseUnavailable && error.cause ? error.cause : error
  } finally {
    await Promise.all([groups.close(), reads.close()])
    reader.close()
    writer.close()
  }
}

async function usePostgresExecutor<T>(place: PostgresPlace, work: Work<T>): Promise<T> {
  const { passwordFile, rowLevelSecurity } = place
  const url = parsePostgresUrl(place.url, passwordFile)
  const engine = postgresEngines[place.postgresEngine]
  const options = {
    url,
    engine,
    hooks: {},
    size: 4,
    maxWaiting: 1000,
    acquireTimeoutMs: timeoutMs,
    responseTimeoutMs: timeoutMs,
  }
  const connections = new ConnectionPool(options)
  try {
    if (rowLevelSecurity) await connections.use(refuseHiddenRows)
    const preamble = preambleFor('system', rowLevelSecurity)
    return await work(new PostgresExecutor(connections, preamble, engine.dataModifyingCtes))
  } catch (error) {
    throw error instanceof DatabaseBusy && error.cause ? error.cause : error
  } finally {
    await connections.close()
  }
}
