import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openPostgresStorage } from '../server/storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { freePort } from '../test/support/free-port.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Child, startArguments, startChild } from './child.ts'
import { drive, requestBytes } from './load.ts'
import { cities, oldest, searchRows, tenantId, youngest } from './search-rows.ts'
import { median, row } from './table.ts'

const adminKey = 'bench-admin-key-of-at-least-32-characters'
/** Different requests of each search, so that they read different pages of the index. */
const samples = 100
/** Pages before the later one. */
const pagesBefore = 5

type Query = Readonly<Record<`profile.${string}`, string>>

const city = (sample: number): Query => ({ 'profile.city': `city ${(sample * 61) % cities}` })
const name = (sample: number): Query => ({
  'profile.name.prefix': String.fromCharCode(97 + (sample % 26), 97 + ((sample * 7) % 26)),
})
const age = (sample: number): Query => {
  const from = youngest + ((sample * 3) % (oldest - youngest - 10))
  return { 'profile.age.min': String(from), 'profile.age.max': String(from + 9) }
}

/** The searches by what they do, each as a function of the sample. */
const searches: Readonly<Record<string, (sample: number) => Query>> = {
  equality: city,
  prefix: name,
  range: age,
  'equality, equality': (sample) => ({ ...city(sample), 'profile.plan': 'pro' }),
  'equality, range': (sample) => ({ ...city(sample), ...age(sample) }),
  'prefix, equality': (sample) => ({ ...name(sample), 'profile.plan': 'pro' }),
  'range, equality': (sample) => ({ ...age(sample), 'profile.plan': 'pro' }),
}

/** A filled database. */
interface Filled {
  readonly url: string
  dispose(): Promise<void>
}

/**
 * `npm run bench -- search`: searches users by profile fields, first pages of 50 and later ones, one request at a time, with
 * this many users on SQLite and a tenth of them on PostgreSQL.
 */
export async function benchSearch(options: { users: number; rounds: number; seconds: number }): Promise<void> {
  const { users, rounds, seconds } = options
  console.log(`\none connection, ${rounds} rounds of ${seconds} s each, medians of p50 and p99 in ms`)
  const engines = { SQLite: [fillSqlite, users], PostgreSQL: [fillPostgres, Math.ceil(users / 10)] } as const
  for (const [engine, [fill, count]] of Object.entries(engines)) {
    console.log(row(`\n${engine}, ${count} users`, 'first', 'p99', 'later', 'p99'))
    const { url, dispose } = await fill(count)
    const child = await serve(url)
    try {
      for (const [search, queryOf] of Object.entries(searches)) {
        const queries = Array.from({ length: samples }, (_, sample) => queryOf(sample))
        const later = await Promise.all(queries.map((query) => laterPage(child, query)))
        const first = await measure(child, queries, rounds, seconds)
        const next = await measure(child, later, rounds, seconds)
        console.log(row(search, ...[first.p50, first.p99, next.p50, next.p99].map((cell) => cell.toFixed(1))))
      }
    } finally {
      await child.stop()
      await dispose()
    }
  }
}

async function fillSqlite(users: number): Promise<Filled> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-search-'))
  const path = join(folder, 'tenantry.db')
  await (await openSqliteStorage({ path })).close()
  const database = new DatabaseSync(path, { timeout: 60_000 })
  database.exec('PRAGMA synchronous = OFF')
  for (const sql of searchRows('sqlite', users)) database.exec(sql)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return { url: `sqlite:${path}`, dispose: () => rm(folder, { recursive: true }) }
}

async function fillPostgres(users: number): Promise<Filled> {
  const server = await startPostgres()
  const url = await server.createDatabase()
  await (await openPostgresStorage({ url, acquireTimeoutMs: 60_000 })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of searchRows('postgres', users)) await client.query(sql)
  await client.query('VACUUM ANALYZE')
  await client.end()
  return { url, dispose: () => server.close() }
}

async function serve(url: string): Promise<Child> {
  const port = await freePort()
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: url,
    TENANTRY_LIMITS: 'all=off',
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: generateMasterKeys(Date.now()),
  }
  return startChild(port, startArguments, settings, '/healthz')
}

/** A search with the cursor of a later page, or the last one that has a next page. */
async function laterPage({ port }: Child, query: Query): Promise<Record<string, string>> {
  const admin = createTenantryAdmin({ baseUrl: `http://127.0.0.1:${port}`, adminKey })
  let cursor: string | null = null
  for (let page = 0; page < pagesBefore; page++) {
    const given: Record<string, string> = cursor === null ? query : { ...query, cursor }
    const { nextCursor } = await admin.listUsers({ tenantId }, given)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return cursor === null ? query : { ...query, cursor }
}

async function measure(
  { port }: Child,
  queries: readonly Readonly<Record<string, string>>[],
  rounds: number,
  seconds: number,
): Promise<{ p50: number; p99: number }> {
  const requests = queries.map((query) =>
    requestBytes('GET', `/admin/tenants/${tenantId}/users?${new URLSearchParams(query)}`, {
      authorization: `Bearer ${adminKey}`,
    }),
  )
  let turn = 0
  const next = () => requests[turn++ % requests.length]!
  const all: { p50: number; p99: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const load = await drive({ port, connections: 1, seconds, expectedStatus: 200, next })
    if (load.unexpected > 0) throw new Error(`${load.unexpected} answers have an unexpected status`)
    all.push(load)
  }
  return { p50: median(all.map(({ p50 }) => p50)), p99: median(all.map(({ p99 }) => p99)) }
}
