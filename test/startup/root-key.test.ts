import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRootKeyProblem, recommendRootKeyOff } from '../../server/startup/root-key.ts'
import { startTestService } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'

test('without a root key, startup needs an operator who can administer operators for good', async () => {
  await using service = await startTestService()
  const { storage } = service.service.services
  const problem = () => findRootKeyProblem({ adminKey: null, storage })
  const missing =
    /^TENANTRY_ADMIN_KEY: off, but no operator could administer operators; start with a root key, create one/
  assert.match((await problem())!, missing)
  const { tenantId } = await service.addTenant()
  await storeOperator(service, { scopes: ['*'], tenantIds: [tenantId] })
  await storeOperator(service, { scopes: ['*'], expiresAt: service.clock.now() + 1000 })
  await storeOperator(service, { scopes: ['*'], revokedAt: service.clock.now() })
  await storeOperator(service, { scopes: ['operators:read', 'users:write'] })
  assert.match((await problem())!, missing)
  assert.equal(await findRootKeyProblem({ adminKey: 'a root key', storage }), null)
  await storeOperator(service, { scopes: ['operators:write'] })
  assert.equal(await problem(), null)
})

test('production recommends off once that operator exists, and only then', async () => {
  await using service = await startTestService()
  const { storage, logger } = service.service.services
  const told = () => service.log.filter((line) => line.includes('set TENANTRY_ADMIN_KEY=off')).length
  const production = { storage, logger, environment: 'production' } as const
  await recommendRootKeyOff({ ...production, adminKey: 'a root key' })
  assert.equal(told(), 0)
  await storeOperator(service, { scopes: ['*'] })
  await recommendRootKeyOff({ ...production, adminKey: null })
  await recommendRootKeyOff({ ...production, environment: 'staging', adminKey: 'a root key' })
  assert.equal(told(), 0)
  await recommendRootKeyOff({ ...production, adminKey: 'a root key' })
  assert.equal(told(), 1)
})
