import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { systemStatement } from '../statement.ts'
import { SqliteConnection } from './connection.ts'
import { DiskHealth } from './disk-health.ts'
import { GroupRead } from './group-read.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-group-read-'))
const path = join(folder, 'test.db')
const names: string[] = []
const writer = new SqliteConnection({ path, readOnly: false, hooks: {} })
writer.execute(
  'PRAGMA journal_mode = WAL; CREATE TABLE schema_migrations (id TEXT); INSERT INTO schema_migrations VALUES (0)',
)
writer.execute('CREATE TABLE numbers (n INTEGER)')
const reader = new SqliteConnection({ path, readOnly: true, hooks: { onStatement: (name) => names.push(name) } })
const reads = new GroupRead(reader, 100, new DiskHealth())

after(async () => {
  await reads.close()
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const count = systemStatement<{ count: number }>('test.countNumbers', 'SELECT count(*) AS count FROM numbers')
const wrong = systemStatement('test.wrongCall', "SELECT abs(-9223372036854775808) AS 'overflow'")
const countNumbers = () => reads.read(async (sql) => (await sql.row(count))?.count)

test('reads of one turn of the event loop share a transaction', async () => {
  names.length = 0
  await Promise.all([countNumbers(), countNumbers(), countNumbers()])
  assert.equal(names.filter((name) => name === 'sqlite.beginDeferred').length, 1)
  await Promise.all([countNumbers(), countNumbers()])
  assert.equal(names.filter((name) => name === 'sqlite.beginDeferred').length, 2)
})

test('a single read has no transaction', async () => {
  names.length = 0
  await countNumbers()
  assert.deepEqual(names, ['test.countNumbers'])
})

test('a read sees what was committed before it was requested, also when it joins waiting reads', async () => {
  const before = countNumbers()
  writer.execute('INSERT INTO numbers VALUES (1)')
  const afterwards = countNumbers()
  assert.equal(await afterwards, 1)
  assert.equal(await before, 1, 'the snapshot is taken when the event loop turns')
})

test('a read that fails does not fail the others of its group', async () => {
  const [good, bad] = await Promise.allSettled([
    countNumbers(),
    reads.read(async (sql) => sql.row(wrong)),
    countNumbers(),
  ])
  assert.equal(good.status, 'fulfilled')
  assert.equal(bad.status, 'rejected')
  await reads.close()
  assert.equal(reader.inTransaction, false)
  assert.equal(await countNumbers(), 1)
})
