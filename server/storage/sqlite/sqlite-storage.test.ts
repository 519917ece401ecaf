import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce, newTenant } from '../suite/samples.testkit.ts'
import { storageSuite } from '../suite/storage-suite.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

storageSuite('SQLite', openTestStorage)

test('writes do not interleave, however often they await their stores', async () => {
  const { storage, close } = await openTestStorage()
  const tenant = await newTenant(storage)
  let running: number | null = null
  await atOnce(20, (index) =>
    tenant.write(async (tx) => {
      assert.equal(running, null)
      running = index
      for (let step = 0; step < 5; step++) {
        await tx.users.find('u')
        await Promise.resolve()
        assert.equal(running, index)
      }
      running = null
    }),
  )
  await close()
})
