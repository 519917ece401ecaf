import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from './transaction.ts'
import type { Outcome } from './trip.ts'

const shutdown = Object.assign(new Error('terminating connection due to administrator command'), {
  code: '57P01',
  severity: 'FATAL',
})
const answer = (command: string) => ({ command, rows: [], changes: 0 })
const [begin, update, commit] = ['BEGIN', 'UPDATE', 'COMMIT'].map(answer)

/** The end of a trip that no test can bring about at will: the server shuts down between two of its answers. */
const effectOn = (outcome: Outcome) =>
  effect({ attempt: async () => outcome, rollBack: async () => {} } as never, [], {} as never, [])

test('a server that shuts down once COMMIT was sent leaves the outcome unknown, answered or not', async () => {
  for (const answers of [
    [begin!, update!],
    [begin!, update!, commit!],
  ]) {
    await assert.rejects(effectOn({ answers, error: shutdown }), { name: 'OutcomeUnknown', code: 'INTERNAL_SERVER' })
  }
})

test('a server that shuts down before the statement was answered has done nothing', async () => {
  await assert.rejects(effectOn({ answers: [begin!], error: shutdown }), shutdown)
})
