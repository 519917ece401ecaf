import assert from 'node:assert/strict'
import { losePowerOverAndOver } from '../campaign/crashes/crash.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

const seed = 20260115
const test = testOnSqliteAlone('a PostgreSQL server watches its own disk')

/** Rounds in a row in which no kill hits between a write and its fsync: a fast disk leaves few such moments. */
const mostRounds = 15

test('after a power loss under load, every acknowledged write is stored', async (t) => {
  for (let round = 0; round < mostRounds; round++) {
    const report = await losePowerOverAndOver(sampleSize(4, 1), seed + round)
    if (typeof report === 'string') return t.skip(report)
    t.diagnostic(`${report.acknowledgedWrites} acknowledged; ${report.unsynced} file writes without fsync`)
    if (report.unsynced > 0) return
  }
  assert.fail('no power loss hit between a write and its fsync')
})

test('the checks detect a disk whose fsync does nothing', async (t) => {
  const lies = true
  const outcome = await losePowerOverAndOver(6, seed, { lies }).catch((error: Error) => error)
  if (typeof outcome === 'string') return t.skip(outcome)
  assert.ok(outcome instanceof Error, 'the checks found all acknowledged writes, although some must be lost')
})
