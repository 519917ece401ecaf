import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { ulid } from '../../core/ids.ts'
import type { Storage } from '../storage.ts'
import { newTenant, t0, userOf } from '../suite/samples.testkit.ts'
import { openPostgresStorage } from './postgres-storage.ts'

/**
 * Locales of databases; most servers use the one of their machine. All sort digits before letters. Czech sorts CH after
 * H, Danish AA after Z, Estonian Z before T, and Welsh NG before N.
 */
const languages = ['en-US', 'cs', 'da', 'et', 'cy']

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.close())

for (const language of languages) {
  test(`lists users, and finds them by id prefix, in a database with locale ${language}`, async () => {
    await inDatabaseOf(language, async (storage) => {
      const { users } = await newTenant(storage)
      const ends = ['0', '9', 'A', 'AA', 'AAA', 'C', 'CH', 'H', 'N', 'NG', 'S', 'T', 'Z', 'ZZ']
      const ids = ends.map((end) => `01KF${end}`.padEnd(26, 'M')).concat('02'.padEnd(26, 'A'), '7'.padEnd(26, 'Z'))
      ids.push(...Array.from({ length: 5 }, () => ulid(t0)))
      for (const id of ids) await users.add(userOf({ id }), null)
      const prefixes = [
        undefined,
        ...new Set(ids.flatMap((id) => Array.from(id.slice(0, 8), (_, index) => id.slice(0, index + 1)))),
      ]
      for (const idPrefix of prefixes) {
        const found: string[] = []
        for (let cursor: string | null = null; ; cursor = found.at(-1)!) {
          const page = await users.list({ limit: 3, cursor, ...(idPrefix !== undefined && { idPrefix }) })
          found.push(...page.map(({ id }) => id))
          if (page.length < 3) break
        }
        assert.deepEqual(found.sort(), ids.filter((id) => id.startsWith(idPrefix ?? '')).sort(), `${idPrefix}`)
      }
    })
  })
}

async function inDatabaseOf(language: string, work: (storage: Storage) => Promise<void>): Promise<void> {
  const url = await server.createDatabase(language)
  const storage = await openPostgresStorage({ url, acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 })
  try {
    await work(storage)
  } finally {
    await storage.close()
    await server.dropDatabase(url)
  }
}

test('every text column has collation C, so an upgrade of a locale corrupts no index', async () => {
  const url = await server.createDatabase('en-US')
  await (await openPostgresStorage({ url, acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
  )
  await client.end()
  assert.deepEqual(rows, [])
})
