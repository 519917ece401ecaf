import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { operatorOf } from '../suite/operator.testkit.ts'
import { t0 } from '../suite/samples.testkit.ts'
import { postgresForTests } from './postgres.testkit.ts'

test('noting when keys were used does not deadlock with a change of an operator', async () => {
  const postgres = await postgresForTests(await startPostgres())
  const sent: string[] = []
  const { storage, close } = await postgres.open({ hooks: { onStatement: (name) => sent.push(name) } })
  try {
    const { operators } = storage.system
    await operators.add(operatorOf('a', { tenantIds: [] }))
    await operators.add(operatorOf('b'))
    const uses = new Map(['a', 'b'].map((id) => [id, t0 + 5]))
    let touched: Promise<void> | undefined
    await storage.system.write(async (tx) => {
      await tx.operators.lockLasting()
      touched ??= operators.touchKeys(uses)
      await postgres.untilBlocked(1)
      await tx.operators.lock('a')
    })
    await touched
    // The server ends a deadlock by failing a transaction, which then runs again.
    assert.equal(sent.filter((name) => name === 'operator.touch').length, 2)
    assert.equal(sent.filter((name) => name === 'operator.lockLasting').length, 1)
    assert.equal((await operators.find('b'))?.lastUsedAt, t0 + 5)
  } finally {
    await close()
    await postgres.close()
  }
})
