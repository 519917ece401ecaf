import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDisturbedGround, openRaceGround } from './campaign/race-ground.ts'
import { openGroundFor, type RaceName, raceNames, races, runRace } from './campaign/races.ts'

const seed = 20260115

for (const name of raceNames) {
  const { outcome, sample } = races[name]
  test(`${name}: ${outcome}`, async (t) => {
    await using ground = await openGroundFor(name)
    await runRace(name, ground, seed, sample)
    t.diagnostic(`${name}: ${sample} rounds of seed ${seed}`)
  })
}

test('the other process of D19 does write all the while', async () => {
  await using ground = await openDisturbedGround()
  const before = await ground.writes()
  await runRace('D02', ground, seed, 1)
  assert.ok((await ground.writes()) > before + 10)
})

/** A guard that is taken out, and the race that must notice. */
const missingGuards: readonly [RaceName, string, string, string][] = [
  ['D01', 'otp.consume', "state = 'verified'", "state <> 'pending'"],
  ['D02', 'otp.resend', 'last_sent_at + resend_interval_seconds * 1000 <= $4', '1 = 1'],
  ['D03', 'otp.resend', 'resend_count < max_resends', '1 = 1'],
  ['D04', 'otp.countWrongCode', "state = 'pending'", "state <> 'consumed'"],
  ['D05', 'otp.verify', "state = 'pending'", "state <> 'consumed'"],
  ['D06', 'otp.resend', "state = 'pending'", "state <> 'consumed'"],
  ['D08', 'otp.cancelScope', "state = 'cancelled'", 'state = state'],
  ['D09', 'otp.cancelAll', "state = 'cancelled'", 'state = state'],
  ['D10', 'user.confirmPassword', 'AND password_hash = $3', 'AND $3 IS NOT NULL'],
  ['D10', 'session.revokeAllOf', 'AND revoked_at IS NULL', 'AND revoked_at IS NOT NULL'],
  ['D17', 'key.revoke', 'SET revoked_at = $3', 'SET revoked_at = $3 + 1000 WHERE 1 = 0 AND $3'],
]

for (const [name, statement, guard, instead] of missingGuards) {
  test(`${name} notices when ${statement} has lost its guard`, async () => {
    let found = false
    const rewrite = (statementName: string, sql: string) => {
      if (statementName !== statement) return sql
      found = true
      return sql.replace(guard, () => instead)
    }
    await using ground = await openRaceGround({ sqlite: { hooks: { rewrite } } })
    await assert.rejects(runRace(name, ground, seed, 15))
    assert.ok(found)
  })
}
