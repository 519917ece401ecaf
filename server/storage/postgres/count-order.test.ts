import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { halfHourOf } from '../suite/counts.testkit.ts'
import { atOnce, newTenant, t0, tenantOf } from '../suite/samples.testkit.ts'
import { postgresForTests } from './postgres.testkit.ts'

const writers = 20

test('writers that give the same half hours in other orders do not deadlock', async () => {
  const postgres = await postgresForTests(await startPostgres())
  const sent: string[] = []
  const { storage, close } = await postgres.open({ hooks: { onStatement: (name) => sent.push(name) } })
  try {
    const { id: tenantId } = tenantOf()
    await newTenant(storage, { id: tenantId })
    const { counts } = storage.system
    const halfHours = [halfHourOf(t0, { codes: 1 }), halfHourOf(t0 + 1_800_000, { codes: 1 })]
    const ofTenant = halfHours.map((one) => ({ tenantId, ...one }))
    await atOnce(writers, (index) => counts.addActs(index % 2 === 0 ? ofTenant : ofTenant.toReversed()))
    await atOnce(writers, (index) => counts.addOwnActs(index % 2 === 0 ? halfHours : halfHours.toReversed()))
    // The server ends a deadlock by failing a transaction, which then runs again.
    for (const name of ['count.addActs', 'count.addOwnActs'])
      assert.equal(sent.filter((one) => one === name).length, 2 * writers, name)
  } finally {
    await close()
    await postgres.close()
  }
})
