import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { openSession, testStorage } from '../support/session-client.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('shows the form that the user should complete until the service no longer names it', async () => {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(
    { tenantId: tenant.tenantId },
    {
      components: [{ name: 'city', type: 'text' }],
      forms: { welcome: { fields: ['city'], required: ['city'], prompt: 'signIn' } },
    },
  )
  const { email, password, userId } = await addPerson(service, tenant)
  const storage = testStorage()
  const { session } = await openSession(service, tenant, storage)
  await session.client.signIn({ method: 'password', email, password })
  const nextForm = () => session.state.status === 'signedIn' && session.state.nextForm
  assert.equal(nextForm(), 'welcome')
  const { session: laterVisit } = await openSession(service, tenant, storage)
  assert.deepEqual(laterVisit.state, session.state)

  await session.client.getAccount()
  assert.equal(nextForm(), 'welcome')
  await session.client.updateProfile({ city: 'Paris' })
  assert.equal(nextForm(), 'welcome', 'the answer of this operation does not name it')
  await session.client.getAccount()
  assert.equal(nextForm(), undefined)
  assert.equal(session.state.status === 'signedIn' && session.state.user.id, userId)
  assert.equal('nextForm' in (session.state as { user: object }).user, false)
})
