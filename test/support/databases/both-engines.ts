import assert from 'node:assert/strict'
import pg from 'pg'
import { createLocalRateLimiter } from '../../../server/limits/local-rate-limiter.ts'
import { createStoredRateLimiter } from '../../../server/limits/stored-rate-limiter.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { openPostgresStorage } from '../../../server/storage/postgres/postgres-storage.ts'
import { send, type WireAnswer } from '../http/wire.ts'
import { startTestService, testAdminKey } from '../service.ts'
import type { PostgresServer } from './postgres-server.ts'
import { createSqliteDatabase } from './sqlite-database.ts'
import type { StoredRow } from './test-database.ts'

/** A request, authorized as the admin unless it has a tenant's key. */
export interface Question {
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly accessToken?: string
  /** Sent as JSON; a string is sent unchanged, as JSON lines. */
  readonly body?: unknown
}

/** The whole service twice, on SQLite and on PostgreSQL, with equal clocks. */
export interface BothEngines extends AsyncDisposable {
  /**
   * Sends a request to both, a millisecond after the one before, with the ids, keys, tokens and codes of the first
   * replaced by those of the second. Asserts equal answers, headers included, and returns the first one.
   */
  ask(question: Question): Promise<WireAnswer>
  /** Advances both clocks. */
  advance(ms: number): void
  /** Runs one round of housekeeping in both. */
  tidy(): Promise<void>
  /** Asserts that both store the same rows, apart from generated values. */
  assertSameRows(): Promise<void>
}

/** Generated values: keys, tokens, ids, cursors (ids in Base64), and codes, which have eight digits here. */
const madeUp =
  /tk_(?:pub|sec)_\w+|rt_[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+|[0-7][0-9A-HJKMNP-TV-Z]{25}|MDF[\w-]{32}|(?<!\d)\d{8}(?!\d)/g
const incidental = new Set(['date', 'connection'])
/** Tables that differ by process or engine. */
const ownTables = new Set(['limit_logs', 'schema_lock', 'schema_migrations', 'sqlite_stat1', 'sqlite_stat4'])

/** @param language the collation of PostgreSQL's texts */
export async function startBothEngines(
  postgres: PostgresServer,
  language: string,
  limitsText: string,
): Promise<BothEngines> {
  const url = await postgres.createDatabase(language)
  const sqlite = createSqliteDatabase()
  const [file, server] = [
    await sqlite.open(),
    await openPostgresStorage({ url, acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 }),
  ]
  const shared = { limitsText, trustedProxies: '127.0.0.1', masterKeys: generateMasterKeys(0) }
  const first = await startTestService({ ...shared, storage: file, limiter: createLocalRateLimiter() })
  const limiter = createStoredRateLimiter(server.system.limitLogs)
  const second = await startTestService({ ...shared, storage: server, limiter })
  const services = [first, second] as const
  /** The second service's generated values by the first's, and vice versa. */
  const [theirs, ours] = [new Map<string, string>(), new Map<string, string>()]

  async function askOne(service: (typeof services)[number], question: Question): Promise<WireAnswer> {
    const { method, path, key, accessToken, body } = question
    const headers: [string, string][] = [['x-forwarded-for', '192.0.2.1']]
    if (key !== undefined) headers.push(['x-tenant-key', key])
    const bearer = key === undefined ? testAdminKey : accessToken
    if (bearer !== undefined) headers.push(['authorization', `Bearer ${bearer}`])
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    if (body !== undefined) headers.push(['content-type', type])
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const answer = await send(service.baseUrl, { method, path, headers, ...(text !== undefined && { body: text }) })
    await service.service.services.delivery.drain()
    return answer
  }

  function assertSame(a: WireAnswer, b: WireAnswer, what: string): void {
    const [mine, other] = [written(a), written(b)]
    assert.equal(other.replace(madeUp, '…'), mine.replace(madeUp, '…'), what)
    const names = other.match(madeUp) ?? []
    for (const [index, name] of (mine.match(madeUp) ?? []).entries()) {
      const known = theirs.get(name) ?? names[index]!
      assert.deepEqual([names[index], ours.get(known) ?? name], [known, name], `${what}: another ${name}`)
      theirs.set(name, known)
      ours.set(known, name)
    }
  }

  return {
    async ask(question) {
      // Ids of one millisecond are not ordered.
      for (const { clock } of services) clock.advance(1)
      const inTheirs = JSON.stringify(question).replace(madeUp, (name) => theirs.get(name) ?? name)
      const a = await askOne(first, question)
      assertSame(a, await askOne(second, JSON.parse(inTheirs)), JSON.stringify(question))
      return a
    },
    advance(ms) {
      for (const { clock } of services) clock.advance(ms)
    },
    async tidy() {
      for (const { service } of services) await service.services.housekeeping.run()
    },
    async assertSameRows() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        for (const [table, rows] of Object.entries(sqlite.everything())) {
          if (ownTables.has(table)) continue
          const others: StoredRow[] = (await client.query(`SELECT * FROM ${table}`)).rows
          assert.deepEqual(others.map(comparable).sort(), rows.map(comparable).sort(), table)
        }
      } finally {
        await client.end()
      }
    },
    async [Symbol.asyncDispose]() {
      for (const service of services) await service.close()
      await sqlite.release()
      await postgres.dropDatabase(url)
    },
  }
}

function written({ status, headers, text }: WireAnswer): string {
  const kept = Object.entries(headers).filter(([name]) => !incidental.has(name))
  return [status, ...kept.map(([name, value]) => `${name}: ${value}`).sort(), text].join('\n')
}

/** A row as text, without generated or sealed values; `pg` reads BIGINT as text. */
function comparable(row: StoredRow): string {
  const kept = Object.entries(row).map(([column, value]) => [
    column,
    value !== null && /hash|sealed|jwk|lease_owner|commitment/.test(column)
      ? 'a secret'
      : value === null
        ? null
        : String(value),
  ])
  return JSON.stringify(kept.sort())
    .replace(/"salt\\":\\"[\w-]+/, 'salt')
    .replaceAll(/(?<=otp\\":\\"|subject_id",")[\w-]{22}(?=\\?")/g, 'a reference')
    .replace(madeUp, '…')
}
