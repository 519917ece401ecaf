import assert from 'node:assert/strict'
import { describeDisks, failDisks } from '../campaign/crashes/disk.ts'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

/** One for each kind of fault; the first two are a failed fsync and failed writes. */
const cycles = sampleSize(4, 2)
const seed = 20260115
const test = testOnSqliteAlone('a PostgreSQL server watches its own disk')

test('with faults of the disk under load, acknowledged writes are kept and refused ones are not done', async (t) => {
  const steps = recordSteps()
  const report = await failDisks(cycles, seed, steps.watch)
  if (typeof report === 'string') return t.skip(report)
  steps.assertEach(cycles)
  t.diagnostic(`seed ${seed}, ${describeDisks(report)}`)
  assert.equal(report.exitsMs.length, 1)
  assert.ok(report.refused > 0, 'no write met a fault')
})
