import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Random, seededRandom } from '../../../test/campaign/seeded-random.ts'
import { openTestStorage } from '../../storage/sqlite/open-storage.testkit.ts'
import { newTenant, userOf } from '../../storage/suite/samples.testkit.ts'
import { storing } from '../../storage/suite/sealed-log.testkit.ts'
import { erasedUser, randomLog, tamperings } from './random-log.testkit.ts'
import { type SampleLog, trustedKey } from './sample-log.testkit.ts'
import { verifyStoredLog } from './stored-log.ts'
import { logRows, makeLax, storedTamperings } from './stored-tampering.testkit.ts'

/** A database file with the logs of two tenants, which verification reads while another process changes it. */
async function openLogs(isLax = false) {
  const opened = await openTestStorage()
  for (const tenantId of ['acme', 'other']) {
    const { users } = await newTenant(opened.storage, { id: tenantId })
    for (let user = 0; user < 5; user++) await users.add(userOf({ id: `user-${user}` }), null)
  }
  const database = new DatabaseSync(opened.path)
  database.exec('PRAGMA synchronous = OFF')
  if (isLax) makeLax(database)

  function store(logs: readonly SampleLog[]): void {
    database.exec('BEGIN; DELETE FROM events; DELETE FROM event_batches; DELETE FROM event_heads')
    for (const { tenantId, events, batches, head } of logs) {
      const isErased = events.some(({ personal }) => personal === null)
      const [from, to] = isErased ? [erasedUser, 'gone'] : ['gone', erasedUser]
      database.prepare('UPDATE users SET id = ? WHERE id = ? AND tenant_id = ?').run(to, from, tenantId)
      database.exec(storing(tenantId, { events, batches }))
      database.prepare('DELETE FROM event_heads WHERE tenant_id = ?').run(tenantId)
      if (head !== null)
        database
          .prepare('INSERT INTO event_heads (tenant_id, batch, sequence, hash) VALUES (?, ?, ?, ?)')
          .run(tenantId, head.batch, head.sequence, head.hash)
    }
    database.exec('COMMIT')
  }

  async function faults() {
    const all = []
    for (const tenantId of ['acme', 'other']) {
      const log = opened.storage.forTenant(tenantId).eventLog
      const result = await verifyStoredLog({ log, tenantId, publicKey: trustedKey, fromBatch: 1, onSlice: () => {} })
      // What the response requires.
      if (result.head) new Date(result.head.sealedAt).toISOString()
      for (const { batch, sequence = 0 } of result.faults)
        assert.ok(Number.isSafeInteger(batch) && Number.isSafeInteger(sequence), `${batch}, ${sequence}`)
      all.push(...result.faults)
    }
    return all
  }

  async function close(): Promise<void> {
    database.close()
    await opened.close()
  }
  return { database, store, faults, close }
}

const logsOf = (random: Random) => [randomLog('acme', random), randomLog('other', random)] as const

test('1,000 untouched logs in a database verify', async () => {
  const { store, faults, close } = await openLogs()
  for (let round = 0; round < 500; round++) {
    store(logsOf(seededRandom('stored', round)))
    assert.deepEqual(await faults(), [], `round ${round}`)
  }
  await close()
})

for (const [title, isLax] of [
  ['each of 1,000 random tamperings with the rows of a database is found or refused', false],
  ['each of 1,000 random tamperings is found where the schema was changed to accept anything', true],
] as const) {
  test(title, async () => {
    const { database, store, faults, close } = await openLogs(isLax)
    const names = Object.keys(storedTamperings)
    let refused = 0
    for (let round = 0, found = 0; found < 1_000; round++) {
      const random = seededRandom('stored tampering', round)
      store(logsOf(random))
      const before = logRows(database)
      const name = names[round % names.length]!
      try {
        storedTamperings[name]!(database, random)
      } catch (error) {
        assert.match(String(error), /constraint failed|cannot store/)
        if (logRows(database) === before) {
          refused++
          found++
          continue
        }
      }
      const after = logRows(database)
      if (after === before) continue
      assert.ok((await faults()).length > 0, `round ${round}: ${name}\n${difference(before, after)}`)
      found++
    }
    assert.ok(isLax ? refused === 0 : refused < 500, `${refused} refused`)
    await close()
  })
}

function difference(before: string, after: string): string {
  const [old, changed] = [before, after].map((rows) => rows.split('\n'))
  return [
    ...old!.filter((row) => !changed!.includes(row)).map((row) => `- ${row}`),
    ...changed!.filter((row) => !old!.includes(row)).map((row) => `+ ${row}`),
  ].join('\n')
}

test('rewritten, cut and purged logs are found in a database too', async () => {
  const { store, faults, close } = await openLogs()
  const names = Object.keys(tamperings)
  for (let round = 0; round < 300; round++) {
    const random = seededRandom('rewritten', round)
    const [log, other] = logsOf(random)
    const name = names[round % names.length]!
    if (!tamperings[name]!(log, other, random)) continue
    try {
      store([log, other])
    } catch {
      continue
    }
    assert.ok((await faults()).length > 0, `round ${round}: ${name}`)
  }
  await close()
})
