import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSize } from '../support/runner/sample-size.ts'
import { LongLife } from './log-in-any-order.testkit.ts'

const steps = 60

/** Each kind of change must have happened in some life, or the lives prove nothing. */
const happened: Record<string, number> = {}

for (let seed = 0; seed < sampleSize(6, 3); seed++) {
  test(`logs verify after everything that may happen to them, in order ${seed} (threats L01, L12)`, async (t) => {
    await using life = new LongLife('any order', seed)
    await life.start()
    try {
      for (let step = 0; step < steps; step++) {
        await life.step()
        await life.requireSound()
        if (step % 10 === 9) await life.requireNothingOfErased()
      }
      const { erased, left } = await life.requireNothingOfErased()
      await life.requireSound()
      for (const [name, count] of Object.entries({ ...life.changes(), users: left, gone: erased }))
        happened[name] = (happened[name] ?? 0) + count
    } catch (error) {
      t.diagnostic(life.done.join('\n'))
      throw error
    }
  })
}

test('purges, erasures and new keys have happened', () => {
  for (const name of ['purged', 'partly', 'erased', 'keys', 'users', 'gone'])
    assert.ok(happened[name]! > 3, JSON.stringify(happened))
})
