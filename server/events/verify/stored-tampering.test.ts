import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { seededRandom } from '../../../test/campaign/seeded-random.ts'
import { openTestStorage } from '../../storage/sqlite/open-storage.testkit.ts'
import { tamperings } from './random-log.testkit.ts'
import { makeLax, type Shell } from './stored-tampering.testkit.ts'
import { randomLogs, TamperedLogs } from './tampered-logs.testkit.ts'

/** A database file with the logs of two tenants, which verification reads while another process changes it. */
async function openLogs(isLax = false) {
  const opened = await openTestStorage()
  const database = new DatabaseSync(opened.path)
  const logs = new TamperedLogs(opened.storage, (sql) => database.exec(`BEGIN;\n${sql};\nCOMMIT`))
  await logs.addTenants()
  database.exec('PRAGMA synchronous = OFF')
  if (isLax) makeLax(database)
  const shell: Shell = { rows: async (sql) => database.prepare(sql).all() }
  async function close(): Promise<void> {
    database.close()
    await opened.close()
  }
  return { database, logs, shell, close }
}

test('1,000 untouched logs in a database verify', async () => {
  const { logs, close } = await openLogs()
  for (let round = 0; round < 500; round++) {
    await logs.store(randomLogs(seededRandom('stored', round)))
    assert.deepEqual(await logs.faults(), [], `round ${round}`)
  }
  await close()
})

/** 18.0 is the number 18. */
const written = (column: string) =>
  `quote(CASE WHEN typeof(${column}) = 'real' AND ${column} = CAST(${column} AS INTEGER)
    THEN CAST(${column} AS INTEGER) ELSE ${column} END)`

for (const [title, isLax] of [
  ['each of 1,000 random tamperings with the rows of a database is found or refused', false],
  ['each of 1,000 random tamperings is found where the schema was changed to accept anything', true],
] as const) {
  test(title, async () => {
    const { logs, shell, close } = await openLogs(isLax)
    const refused = await logs.requireFound(1_000, shell, written)
    assert.ok(isLax ? refused === 0 : refused < 500, `${refused} refused`)
    await close()
  })
}

test('rewritten, cut and purged logs are found in a database too', async () => {
  const { database, logs, close } = await openLogs()
  const names = Object.keys(tamperings)
  for (let round = 0; round < 300; round++) {
    const random = seededRandom('rewritten', round)
    const [log, other] = randomLogs(random)
    const name = names[round % names.length]!
    if (!tamperings[name]!(log, other, random)) continue
    try {
      await logs.store([log, other])
    } catch {
      database.exec('ROLLBACK')
      continue
    }
    assert.ok((await logs.faults()).length > 0, `round ${round}: ${name}`)
  }
  await close()
})
