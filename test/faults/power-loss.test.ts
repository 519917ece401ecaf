import assert from 'node:assert/strict'
import { losePowerOverAndOver } from '../campaign/crash.ts'
import { testOnSqliteAlone } from '../support/on-sqlite-alone.ts'
import { sampleSize } from '../support/sample-size.ts'

const seed = 20260115
const test = testOnSqliteAlone('a PostgreSQL server watches its own disk')

test('after a power loss under load, every acknowledged write is stored', async (t) => {
  const report = await losePowerOverAndOver(sampleSize(4, 2), seed)
  if (typeof report === 'string') return t.skip(report)
  t.diagnostic(`${report.acknowledgedWrites} acknowledged; ${report.unsynced} writes to files unsynced`)
  assert.ok(report.unsynced > 0, 'no write was unsynced')
})

test('the checks detect a disk whose fsync does nothing', async (t) => {
  const lies = true
  const outcome = await losePowerOverAndOver(6, seed, lies).catch((error: Error) => error)
  if (typeof outcome === 'string') return t.skip(outcome)
  assert.ok(outcome instanceof Error, 'the checks found all acknowledged writes, although some must be lost')
})
