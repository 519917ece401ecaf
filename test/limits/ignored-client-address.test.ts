import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { startTestService } from '../support/service.ts'

test('ignores an X-Client-IP that is not one address, and warns once', async () => {
  await using service = await startTestService({ limitsText: '' })
  const { tenantId, key, secretKey } = await service.addTenant()
  const warnings = () => service.log.filter((line) => line.includes('X-Client-IP ignored'))
  const read = (tenantKey: string, clientIp: string) =>
    createTenantryClient({ baseUrl: service.baseUrl, tenantKey, clientIp }).getTenantConfiguration()

  await read(secretKey, '203.0.113.7')
  await read(secretKey, '::ffff:203.0.113.7')
  await read(key, '203.0.113.7, 10.0.0.1')
  assert.deepEqual(warnings(), [], 'only a secret key may name an address')

  await read(secretKey, '203.0.113.7, 10.0.0.1')
  await read(secretKey, '203.0.113.7:50321')
  assert.equal(warnings().length, 1)
  assert.match(warnings()[0]!, new RegExp(tenantId))
})
