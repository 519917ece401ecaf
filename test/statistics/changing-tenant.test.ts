import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTotalsRecount } from '../../server/statistics/recount-totals.ts'
import { startTestService } from '../support/service.ts'

const minute = 60_000
const day = 86_400_000

test('totals of a tenant that changes during each count are counted again after a day', async () => {
  await using service = await startTestService()
  const { client, tenantId } = await service.addTenant({ methods: ['guest'] })
  const signIn = () => client.signIn({ method: 'guest' })
  const usersOf = async () => (await service.admin.getTenantStatistics({ tenantId })).totals?.users
  await signIn()
  const { counts, storage } = service.service.services
  counts.add(tenantId, 'users', 40)
  await counts.flush()
  // Called once the rows are counted.
  const recount = createTotalsRecount(storage, async () => {
    await signIn()
    await counts.flush()
  })
  service.clock.advance(5 * minute)
  await recount(service.clock.now())
  assert.equal(await usersOf(), 42)
  service.clock.advance(day - 5 * minute)
  await recount(service.clock.now())
  assert.equal(await usersOf(), 2)
})
