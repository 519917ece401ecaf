import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onPostgres } from '../../support/databases/open-database.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import { sampleSize } from '../../support/runner/sample-size.ts'
import { openRaceFixture, openRaceFixtureWithOtherWriter, type RaceFixture } from './race-fixture.ts'
import { isOfRows, openFixtureFor, raceNames, races, runRace } from './races.ts'

const seed = 20260115
let google: IdentityProvider
/** Of all races about rows. */
let rows: RaceFixture
before(async () => {
  google = await startIdentityProvider('google')
  rows = await openRaceFixture(google, { limitsText: 'all=off' })
})
after(async () => {
  await rows[Symbol.asyncDispose]()
  await google.close()
})

/** Options of D19; on PostgreSQL every other race runs on two processes. */
const disturbed = { skip: onPostgres && 'PostgreSQL has no lock on the whole database' }

/** The number of deadlocks. PostgreSQL detects one after a second, which delays a request by as much. */
function lockouts({ service }: RaceFixture): number {
  if (!onPostgres) return 0
  const [row] = service.database.ask('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  return Number(row!['deadlocks'])
}

for (const name of raceNames) {
  const { outcome, sample } = races[name]
  const rounds = sampleSize(sample, Math.ceil(sample / 8))
  test(`${name}: ${outcome}`, name === 'D19' ? disturbed : {}, async (t) => {
    await using own = isOfRows(name) ? null : await openFixtureFor(name, google)
    const fixture = own ?? rows
    const before = lockouts(fixture)
    await runRace(name, fixture, { seed, rounds })
    assert.equal(lockouts(fixture) - before, 0, 'deadlock: every change of a user’s data must lock the user row first')
    t.diagnostic(`${name}: ${rounds} rounds of seed ${seed}`)
  })
}

test('the other process of D19 writes during the race', disturbed, async () => {
  await using fixture = await openRaceFixtureWithOtherWriter(google)
  const before = await fixture.writes()
  await runRace('D02', fixture, { seed, rounds: 1 })
  assert.ok((await fixture.writes()) > before + 10)
})
