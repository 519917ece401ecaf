import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { openTestStorage } from './open-test-storage.ts'

/** Statements that may read a whole table, and why that is no harm. */
const mayScan = new Map([
  ['inbox.ofAll', 'reads the latest of an index up to its limit'],
  ['purge.outbox', 'reads the first thousand entries of an index'],
  ['schema.applied', 'a table of a few rows'],
  ['signingKey.list', 'a table of a few rows'],
  ['signingKey.addFirst', 'a table of a few rows'],
  ['sqlite.ping', 'a table of a few rows'],
  ['sqlite.takeSnapshot', 'a table of a few rows'],
])

test('no statement reads a whole table', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const planOf = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$(\d+)/g, '?$1')}`)
      .all()
      .map(({ detail }) => String(detail))
  const scans = registeredStatements()
    .filter(({ sql }) => /^(SELECT|INSERT|UPDATE|DELETE)/.test(sql))
    .filter(({ sql }) => planOf(sql).some((detail) => /^SCAN (?!CONSTANT ROW)/.test(detail)))
  database.close()
  await close()
  assert.deepEqual(scans.map(({ name }) => name).sort(), [...mayScan.keys()].sort())
})

test('no statement of a tenant sorts or looks through more rows than its index hands it', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  for (const { name, sql, reach } of registeredStatements()) {
    if (reach === 'system') continue
    for (const row of database.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$(\d+)/g, '?$1')}`).all()) {
      assert.doesNotMatch(String(row['detail']), /AUTOMATIC/, name)
      assert.match(String(row['detail']), /^(?!SEARCH).|\((tenant_id|id|<tenant)/, name)
    }
  }
  database.close()
  await close()
})
