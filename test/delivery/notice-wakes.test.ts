import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'

test('a queued notice wakes the delivery, and other changes do not', async (t) => {
  await using service = await startTestService()
  const tenant = await service.addTenant({ methods: ['password', 'otp'] })
  const person = await addPerson(service, tenant)
  await person.prove()
  const wakes = t.mock.method(service.service.services.delivery, 'wake').mock

  async function wakesOf(act: () => Promise<unknown>): Promise<number> {
    wakes.resetCalls()
    await act()
    return wakes.callCount()
  }
  const update = (changes: Parameters<typeof service.admin.updateUser>[1]) =>
    service.admin.updateUser({ tenantId: tenant.tenantId, userId: person.userId }, changes)

  assert.equal(await wakesOf(() => person.signIn()), 0)
  assert.equal(await wakesOf(() => update({ restrictedCapabilities: [] })), 0)
  assert.equal(await wakesOf(() => update({ phone: '+33612349999' })), 1)
  const client = await person.client()
  const change = { currentPassword: person.password, password: 'another horse battery' }
  assert.equal(await wakesOf(() => client.changePassword(change)), 1)
  assert.equal(await wakesOf(() => client.deleteAccount()), 1)
})
