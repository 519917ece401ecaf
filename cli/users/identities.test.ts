import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson } from '../../test/support/person.ts'
import { startTestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

test('lists the ways of a user to sign in, and removes one', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const { userId, phone, prove } = await addPerson(service, tenant)
  await prove()
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const of = ['--tenant', tenant.tenantId]
  const tenantry = async (...words: string[]) => (await type(words, { env })).output

  const rows = (await tenantry('user', 'identities', userId, ...of)).trimEnd().split('\n')
  assert.match(rows[0]!, /^ID {8}METHOD {4}ADDRESS +ADDED$/)
  assert.ok(rows[3]!.startsWith(`phone     otp       ${phone} `), rows[3])
  const removed = await tenantry('user', 'remove-identity', userId, 'phone', ...of)
  assert.equal(removed, `Removed: phone of ${userId}\n`)
  const { identities } = await service.admin.listUserIdentities({ tenantId: tenant.tenantId, userId })
  assert.deepEqual(
    identities.map(({ id }) => id),
    ['password', 'email'],
  )
})
