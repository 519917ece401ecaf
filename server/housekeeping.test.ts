import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestService } from '../test/service.ts'
import { createHousekeeping } from './housekeeping.ts'

/** Housekeeping of the test's own, whose rounds are counted and come to this. */
function createCounted({ service: { services } }: TestService, end: () => Promise<void>) {
  const rounds: number[] = []
  const housekeeping = createHousekeeping({
    ...services,
    retentionMs: 1,
    sweep: (now) => void rounds.push(now),
    maintainSigningKeys: async () => {},
    migrateProfiles: async () => {},
    purgeGuests: end,
  })
  return { housekeeping, rounds }
}

const soon = () => new Promise(setImmediate)

test('a round that is under way is joined, and waited for before the database is closed', async () => {
  await using service = await startTestService()
  const goOn = Promise.withResolvers<void>()
  const { housekeeping, rounds } = createCounted(service, () => goOn.promise)
  const first = housekeeping.run()
  assert.equal(housekeeping.run(), first)
  assert.equal(rounds.length, 1)
  let isStopped = false
  const stopping = housekeeping.stop().then(() => {
    isStopped = true
  })
  await soon()
  assert.equal(isStopped, false)
  goOn.resolve()
  await stopping
})

test('there is a round a minute, after one that failed too, until the end', async (t) => {
  await using service = await startTestService()
  const log = service.log
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { housekeeping, rounds } = createCounted(service, () => Promise.reject(new Error('the database is away')))
  housekeeping.start()
  for (let minute = 1; minute <= 3; minute++) {
    t.mock.timers.tick(60_000)
    assert.equal(rounds.length, minute)
    await housekeeping.run()
  }
  assert.equal(log.filter((line) => line.includes('housekeeping stopped early')).length, 3)
  await housekeeping.stop()
  t.mock.timers.tick(120_000)
  assert.equal(rounds.length, 3)
})

test('when a key was used is written once', async () => {
  let writes = 0
  const onStatement = (name: string) => {
    if (name === 'directory.touchKey') writes++
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { housekeeping } = createCounted(service, async () => {})
  housekeeping.noteKeyUse('a key', 1)
  await housekeeping.run()
  await housekeeping.run()
  assert.equal(writes, 1)
})
