import assert from 'node:assert/strict'
import type { Watch } from './progress.ts'

/** Records the steps that a campaign reports. */
interface RecordedSteps {
  readonly watch: Watch
  /** Throws unless each step from the first to the last was reported once. */
  assertEach(total: number): void
}

export function recordSteps(): RecordedSteps {
  const steps: number[] = []
  return {
    watch: (done) => void steps.push(done),
    assertEach(total) {
      assert.deepEqual(
        steps,
        Array.from({ length: total }, (_, index) => index + 1),
      )
    },
  }
}
