import assert from 'node:assert/strict'
import { losePowerOverAndOver } from '../campaign/crash.ts'
import { testOnSqliteAlone } from '../support/on-sqlite-alone.ts'
import { sampleSize } from '../support/sample-size.ts'

const seed = 20260115
const test = testOnSqliteAlone('the disks of PostgreSQL are its own to watch')

test('when the machine loses its power under load, every acknowledged write is there after the restart', async (t) => {
  const report = await losePowerOverAndOver(sampleSize(4, 2), seed)
  if (typeof report === 'string') return t.skip(report)
  t.diagnostic(`${report.acknowledgedWrites} acknowledged; ${report.unsynced} writes to files unsynced`)
  assert.ok(report.unsynced > 0, 'there was nothing to lose')
})

test('a disk whose fsync does nothing is noticed', async (t) => {
  const lies = true
  const outcome = await losePowerOverAndOver(6, seed, lies).catch((error: Error) => error)
  if (typeof outcome === 'string') return t.skip(outcome)
  assert.ok(outcome instanceof Error, 'acknowledged writes were lost, and the checks found all of them')
})
