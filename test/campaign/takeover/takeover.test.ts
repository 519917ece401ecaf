import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullRunsOnly, sampleSize } from '../../support/runner/sample-size.ts'
import { runTakeovers } from './takeover.ts'
import { runThefts } from './thefts.ts'

const seed = 20260128

test('no person gets into the account of another, at once or in any order of acts', async (t) => {
  const { acts, refusals, sessions } = await runTakeovers(sampleSize(3, 1), seed)
  // Both happen often.
  assert.ok(
    acts - refusals > acts / 5 && sessions > acts / 5,
    `${acts} acts, ${refusals} refused, ${sessions} sessions`,
  )
  t.diagnostic(`${acts} acts of seed ${seed}, ${refusals} refused, ${sessions} sessions`)
})

test('notices when sessions outlive a recovery', fullRunsOnly, async () => {
  const rewrite = (name: string, sql: string) =>
    name.endsWith('session.revokeAllOf') ? sql.replace('AND revoked_at IS NULL', 'AND revoked_at IS NOT NULL') : sql
  // The first round of this seed finds it.
  await assert.rejects(runTakeovers(12, 20260149, { hooks: { rewrite } }), /is in the account of|an ended session/)
})

test('owners get into their accounts whatever thieves with stolen sessions do', async () => {
  await runThefts(sampleSize(10, 2), seed)
})

test('notices when owners cannot remove a number that a thief has restored', fullRunsOnly, async () => {
  const rewrite = (name: string, sql: string) =>
    name.endsWith('undoCode.isUnproven') ? sql.replace('IN ($3, $6)', "IN ($3, $6 || ' ')") : sql
  // The first round of this seed finds it.
  await assert.rejects(runThefts(4, 20261001, { hooks: { rewrite } }), /restored in the last 72 hours/)
})

test('notices when codes that a thief has asked for outlive an undo', fullRunsOnly, async () => {
  const rewrite = (name: string, sql: string) => (name.endsWith('user.endCodes') ? `${sql} AND 1 = 0` : sql)
  // The first round of this seed finds it.
  await assert.rejects(runThefts(4, 20261143, { hooks: { rewrite } }), /a code from before the undo signs in/)
})
