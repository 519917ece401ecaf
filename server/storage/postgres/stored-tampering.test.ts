import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { randomLogs, TamperedLogs } from '../../events/verify/tampered-logs.testkit.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
})
after(() => postgres.close())

async function openLogs() {
  const { storage, close } = await postgres.open()
  const logs = new TamperedLogs(storage, async (sql) => void (await postgres.execute(sql)))
  await logs.addTenants()
  return { logs, close }
}

const logCount = sampleSize(1_000, 100)

test(`${logCount} untouched logs in a database verify`, async () => {
  const { logs, close } = await openLogs()
  for (let round = 0; round < logCount / 2; round++) {
    await logs.store(randomLogs(seededRandom('stored', round)))
    assert.deepEqual(await logs.faults(), [], `round ${round}`)
  }
  await close()
})

const tamperingCount = sampleSize(1_000, 150)

test(`each of ${tamperingCount} random tamperings with the rows of a database is found or refused (threat L01)`, async () => {
  const { logs, close } = await openLogs()
  const refused = await logs.requireFound(
    tamperingCount,
    { rows: postgres.execute },
    (column) => `COALESCE(${column}::text, 'NULL')`,
  )
  assert.ok(refused < tamperingCount / 2, `${refused} refused`)
  await close()
})
