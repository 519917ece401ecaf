import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashBuilds } from '../campaign/crashes/build-crashes.ts'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

const cycles = sampleSize(10, 4)
const seed = 20260115

test('a build that a kill interrupts is completed after the restart, and the index has exactly the stored values', async (t) => {
  const steps = recordSteps()
  const { interrupted, current, failed, writes } = await crashBuilds(cycles, seed, steps.watch)
  steps.assertEach(cycles)
  t.diagnostic(
    `${cycles} cycles of seed ${seed}: ${interrupted} killed during the build, ${current} current, ${failed} failed`,
  )
  assert.ok(interrupted > 0, 'no build was in progress at a kill')
  assert.ok(current > 0 && failed > 0 && writes > 0)
})
