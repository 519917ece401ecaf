import assert from 'node:assert/strict'
import { describeDisks, failDisks } from '../campaign/disk.ts'
import { testOnSqliteAlone } from '../support/on-sqlite-alone.ts'

const cycles = 4
const seed = 20260115
const test = testOnSqliteAlone('the disks of PostgreSQL are its own to watch')

test('under load on a disk that fails in each way, nothing acknowledged is lost and nothing refused is done', async (t) => {
  const report = await failDisks(cycles, seed)
  if (typeof report === 'string') return t.skip(report)
  t.diagnostic(`seed ${seed}, ${describeDisks(report)}`)
  assert.equal(report.exitsMs.length, 1)
  assert.ok(report.refused > 0, 'no fault ever met a write')
})
