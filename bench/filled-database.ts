import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openPostgresStorage } from '../server/storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { startPostgres } from '../test/support/databases/postgres-server.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Child, checkout, startArgumentsIn, startChild } from './child.ts'
import type { Rows } from './generated-rows.ts'
import { drive, requestBytes } from './load.ts'
import { median } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { adminKey } from './tenant.ts'

/** A filled database. */
export interface Filled {
  readonly url: string
  dispose(): Promise<void>
}

export async function fillSqlite(rows: Rows): Promise<Filled> {
  const folder = temporaryFolder()
  const path = join(folder, 'tenantry.db')
  await (await openSqliteStorage({ path })).close()
  const database = new DatabaseSync(path, { timeout: 60_000 })
  database.exec('PRAGMA synchronous = OFF')
  for (const sql of rows('sqlite')) database.exec(sql)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return { url: `sqlite:${path}`, dispose: () => rm(folder, { recursive: true }) }
}

export async function fillPostgres(rows: Rows): Promise<Filled> {
  const server = await startPostgres()
  const url = await server.createDatabase()
  await (await openPostgresStorage({ url, acquireTimeoutMs: 60_000 })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of rows('postgres')) await client.query(sql)
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
  return { url, dispose: () => server.close() }
}

/**
 * The service on a filled database, with further settings.
 * @param root the folder of the checkout
 */
export async function serve(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  root = checkout,
): Promise<Child> {
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    TENANTRY_LIMITS: 'all=off',
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: generateMasterKeys(Date.now()),
    ...settings,
  }
  return startChild(port, startArgumentsIn(root), env, '/healthz', root)
}

/** Reads pages of the operator in turn, one request at a time; medians of the rounds, in ms. */
export async function measurePages(
  { port }: Child,
  paths: readonly string[],
  rounds: number,
  seconds: number,
): Promise<{ p50: number; p99: number }> {
  const requests = paths.map((path) => requestBytes('GET', path, { authorization: `Bearer ${adminKey}` }))
  let turn = 0
  const next = () => requests[turn++ % requests.length]!
  const all: { p50: number; p99: number }[] = []
  for (let round = 0; round < rounds; round++) {
    all.push(await drive({ port, connections: 1, seconds, expectedStatus: 200, next }))
  }
  return { p50: median(all.map(({ p50 }) => p50)), p99: median(all.map(({ p99 }) => p99)) }
}
