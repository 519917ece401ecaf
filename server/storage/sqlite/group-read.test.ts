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

test('pinned reads share one snapshot; after `unpin` they see what was committed since', async () => {
  const before = await countNumbers()
  reads.snapshot.pin()
  writer.execute('INSERT INTO numbers VALUES (2)')
  names.length = 0
  assert.equal(await countNumbers(), before)
  assert.deepEqual(await Promise.all([countNumbers(), countNumbers()]), [before, before])
  assert.deepEqual(new Set(names), new Set(['test.countNumbers']), 'no separate transactions')
  reads.snapshot.unpin()
  assert.equal(await countNumbers(), before! + 1)
})

test('a pin replaces the transaction of a read that awaits something else', async () => {
  let proceed = () => {}
  const wait = new Promise<void>((resolve) => (proceed = resolve))
  const slow = reads.read(async (sql) => {
    await wait
    return (await sql.row(count))?.count
  })
  const other = countNumbers()
  const before = await other
  writer.execute('INSERT INTO numbers VALUES (3)')
  reads.snapshot.pin()
  writer.execute('INSERT INTO numbers VALUES (4)')
  proceed()
  assert.equal(await slow, before! + 1, 'the newest state that is durable')
  await reads.close()
  assert.equal(await countNumbers(), before! + 1, 'the end of the group keeps the pin')
  reads.snapshot.unpin()
})

test('reads are refused when an I/O error has ended the pinned snapshot', async () => {
  reads.snapshot.pin()
  reader.rollback()
  await assert.rejects(countNumbers(), { code: 'SERVICE_UNAVAILABLE' })
  await assert.rejects(Promise.all([countNumbers(), countNumbers()]), { code: 'SERVICE_UNAVAILABLE' })
  reads.snapshot.unpin()
  await countNumbers()
})
