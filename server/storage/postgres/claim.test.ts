import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { claim, newTenant, noticeOf, t0 } from '../suite/samples.testkit.ts'
import { postgresForTests } from './postgres.testkit.ts'

test('a claim takes no more than its batch, whatever the query plan', async () => {
  const postgres = await postgresForTests(await startPostgres())
  // Forces the plan that the server chooses for a long outbox: a nested loop that selects due messages for each row.
  const database = new URL(postgres.url).pathname.slice(1)
  for (const node of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material']) {
    await postgres.execute(`ALTER DATABASE ${database} SET enable_${node} = off`)
  }
  const { storage, close } = await postgres.open()
  try {
    const { messages } = await newTenant(storage)
    await Promise.all(Array.from({ length: 50 }, () => messages.notify(noticeOf())))
    for (const left of [10, 10, 10, 10, 10, 0]) {
      assert.equal((await claim(storage.system.outbox, 'me', t0, t0 + 10, 10)).length, left)
    }
  } finally {
    await close()
    await postgres.close()
  }
})
