import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { notErasedIn, randomLog, tamperings } from './random-log.testkit.ts'
import { type SampleLog, verifySample } from './sample-log.testkit.ts'

const verify = (log: SampleLog) =>
  verifySample(
    log,
    {},
    { notErased: async (first, last) => notErasedIn(log).filter((sequence) => sequence >= first && sequence <= last) },
  )

test('1,000 untouched logs verify', async () => {
  for (let round = 0; round < 1_000; round++) {
    const { faults } = await verify(randomLog('acme', seededRandom('untouched', round)))
    assert.deepEqual(faults, [], `round ${round}`)
  }
})

test('each of 1,000 random tamperings is found (threat L01)', async () => {
  const names = Object.keys(tamperings)
  for (let round = 0, found = 0; found < 1_000; round++) {
    const random = seededRandom('tampered', round)
    const [log, other] = [randomLog('acme', random), randomLog('other', random)]
    const name = names[round % names.length]!
    if (!tamperings[name]!(log, other, random)) continue
    const { faultCount } = await verify(log)
    assert.ok(faultCount > 0, `round ${round}: ${name}`)
    found++
  }
})
