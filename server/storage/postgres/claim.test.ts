import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../../../test/support/postgres-server.ts'
import { claim, newTenant, noticeOf, t0 } from '../suite/samples.testkit.ts'
import { postgresForTests } from './postgres.testkit.ts'

test('a claim takes no more than it asks for, whatever plan the server makes', async () => {
  const postgres = await postgresForTests(await startPostgres())
  // A plan that it makes by itself where it believes the outbox to be long: due messages sought again for each row.
  const database = new URL(postgres.url).pathname.slice(1)
  for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material']) {
    await postgres.execute(`ALTER DATABASE ${database} SET enable_${way} = off`)
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
