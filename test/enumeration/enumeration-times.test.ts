import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeTimes, measurementsWith, openMeasuredFixture } from '../campaign/enumeration.ts'
import { mailServers } from '../support/attacks/enumeration-fixture.ts'
import { fullRunsOnly, sampleOf } from '../support/runner/sample-size.ts'

/** A sample of `npm run campaign -- enumeration`, large enough to detect half a millisecond. */
const sample = { count: 20, neutral: 1, seed: 20260115, level: 0.001 }

for (const mail of sampleOf(mailServers)) {
  test(`takes equally long to answer for real and decoy addresses with a ${mail} mail server`, async (t) => {
    await using fixture = await openMeasuredFixture(mail, { people: 20 })
    const different = []
    const names = measurementsWith(mail).filter((name) => mail === 'fast' || /challenge|resend/.test(name))
    for (const name of names) {
      const { isDifferent, first, ...judged } = await judgeTimes(fixture, name, sample)
      t.diagnostic(`${name}: p ${judged.p.toFixed(4)}`)
      if (isDifferent) different.push({ name, first, judged })
    }
    assert.deepEqual(different, [])
  })
}

test('takes equally long for real and decoy addresses where the tenant records everything', async (t) => {
  const events = { detail: 'all' }
  await using fixture = await openMeasuredFixture('fast', { people: 20, events, sealsEvents: true })
  const different = []
  for (const name of measurementsWith('fast')) {
    const { isDifferent, first, ...judged } = await judgeTimes(fixture, name, sample)
    t.diagnostic(`${name}: p ${judged.p.toFixed(4)}`)
    if (isDifferent) different.push({ name, first, judged })
  }
  assert.deepEqual(different, [])
  const types = new Set(fixture.service.database.ask('SELECT type FROM events').map(({ type }) => type))
  for (const type of ['otp.created', 'otp.resent', 'otp.wrong_code', 'sign_in.refused'])
    assert.ok(types.has(type), `${type} of ${[...types]}`)
})

/** Blocks the thread to simulate work done only for real addresses. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('detects 0.3 ms of work done only for real addresses', fullRunsOnly, async () => {
  let timedSide = ''
  const onStatement = (name: string) => {
    if (name.endsWith('otp.find') && timedSide === 'real') work(0.3)
  }
  await using fixture = await openMeasuredFixture('down', { people: 20, hooks: { onStatement } })
  const watched = {
    ...fixture,
    onTimed: (side: string) => {
      timedSide = side
    },
  }
  const { isDifferent, medianDifference } = await judgeTimes(watched, 'status', { ...sample, count: 200 })
  assert.ok(isDifferent && medianDifference > 0.1, `${medianDifference} ms`)
})
