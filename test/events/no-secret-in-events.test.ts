import assert from 'node:assert/strict'
import { test } from 'node:test'
import { record } from '../../server/events/record.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** Plants a text into an event of a tenant, as a careless handler would. */
async function plant({ service: { services }, clock }: TestService, { tenantId }: TestTenant, text: string) {
  const background = await services.snapshots.find(tenantId)
  const subject = { kind: 'user', id: 'someone' } as const
  const fact = { type: 'sign_in.succeeded', subject, details: { method: text } } as const
  await services.storage.forTenant(tenantId).write((tx) => record(tx, { now: clock.now(), background }, fact))
}

/** Secrets of each kind that a test can hand out or be given. */
const secrets: Record<string, (service: TestService, tenant: TestTenant) => Promise<string>> = {
  'the admin key': async ({ adminKey }) => adminKey,
  'a master key': async ({ masterKeys }) => masterKeys.split(':')[1]!.split(',')[0]!,
  'a tenant key': async (_service, { secretKey }) => secretKey,
  'a password': async (service, tenant) => (await addPerson(service, tenant, 'correct "horse" battery')).password,
  'an access token': async (service, tenant) => (await (await addPerson(service, tenant)).signIn()).accessToken,
  'a refresh token': async (service, tenant) => (await (await addPerson(service, tenant)).signIn()).refreshToken,
  'a code': async (service, tenant) =>
    service.codeOf((await (await addPerson(service, tenant)).issue('otp_signin')).id),
  'a sender secret': async ({ admin }, { tenantId }) => {
    const password = 'smtp password 1'
    const sender = { type: 'smtp' as const, host: 'smtp.example.com', user: 'mailer', password }
    await admin.updateConfiguration({ tenantId }, { delivery: { email: [sender] } })
    return password
  },
  'a sensitive value': async (service, tenant) => {
    const path = { tenantId: tenant.tenantId }
    const card = { name: 'card', type: 'text' as const, sensitive: true }
    await service.admin.publishProfileSchema(path, { components: [card] })
    const { userId } = await addPerson(service, tenant)
    await service.admin.updateUserProfile({ ...path, userId }, { card: '4242 4242 4242' })
    return '4242 4242 4242'
  },
}

for (const [kind, handOut] of Object.entries(secrets)) {
  test(`a test service does not close while an event contains ${kind} (threat L10)`, async () => {
    const service = await startTestService()
    const tenant = await service.addTenant()
    await plant(service, tenant, await handOut(service, tenant))
    await assert.rejects(service.close(), /^Error: an event contains the secret ".+; leave it out/)
  })
}

test('a test service does not close while a line of its log contains a secret (threat L10)', async () => {
  const service = await startTestService()
  const { secretKey } = await service.addTenant()
  service.service.services.logger.info({ key: secretKey }, 'as a careless handler would')
  await assert.rejects(service.close(), /^Error: a line of the log contains the secret ".+; leave it out/)
})
