import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createEventPurge } from '../../server/events/purge-events.ts'
import { verifyExport } from '../../server/events/verify/verify-export.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { finishErasures } from '../support/events/finish-erasures.ts'
import { request } from '../support/http/raw-request.ts'
import { importInto } from '../support/import-into.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const day = 86_400_000
const drain = () => service.service.services.events.drain()
const credentials = { email: 'ada@example.com', password: 'correct horse' }

/** A user who signs in and deletes the account, after an operator updated it. */
async function deletedUser(events: Record<string, unknown>) {
  const tenant = await service.addTenant({ configuration: { events } })
  const { id: userId } = await service.admin.createUser(tenant, { ...credentials, emailVerified: true })
  await service.admin.updateUser({ ...tenant, userId }, { phone: '+33612345678' })
  const { accessToken } = await tenant.client.signIn({ method: 'password', ...credentials })
  await tenant.client.withSession(accessToken).deleteAccount()
  await finishErasures(service)
  return { tenant, userId }
}

async function importAgain(tenant: TestTenant, userId: string): Promise<void> {
  const { counts } = await importInto(service, tenant, [{ id: userId, email: credentials.email }])
  assert.equal(counts.imported, 1)
  // Events of one millisecond are sealed in any order.
  service.clock.advance(1)
  await service.admin.updateUser({ ...tenant, userId }, { phone: '+33687654321' })
  await drain()
}

const verify = (tenant: TestTenant) => service.admin.verifyEvents(tenant)

/** What an auditor finds who has the export and the public keys. */
async function verifyOffline({ tenantId }: TestTenant) {
  const headers = { authorization: `Bearer ${service.adminKey}` }
  const { body } = await request(service, 'GET /admin/checkpoint-keys', { headers })
  const jwks: readonly { readonly kid: string }[] = body.keys
  const { text } = await request(service, `GET /admin/tenants/${tenantId}/events/export`, { headers })
  return verifyExport({
    export: {
      name: 'export',
      lines: (async function* () {
        yield* text.split('\n').slice(0, -1)
      })(),
    },
    keys: new Map(jwks.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })])),
    isComplete: true,
  })
}

for (const detail of ['all', 'security', 'off'] as const) {
  test(`with events.detail ${detail}, the log of a user who was deleted and imported again verifies`, async () => {
    const { tenant, userId } = await deletedUser({ detail })
    await importAgain(tenant, userId)
    const { erased, faults } = await verify(tenant)
    assert.deepEqual(faults, [])
    assert.ok(erased > 0)
    assert.deepEqual((await verifyOffline(tenant)).faults, [])
    // Of the new user, a personal part must not be missing.
    const [newest] = (await service.admin.listEvents(tenant, { subject: userId })).items
    assert.equal(newest!.type, 'user.phone_changed')
    await writeStored(
      service,
      'UPDATE events SET personal = NULL WHERE sequence = ? AND tenant_id = ?',
      ...[newest!.sequence, tenant.tenantId],
    )
    assert.deepEqual(
      (await verify(tenant)).faults.map(({ kind, sequence }) => [kind, sequence]),
      [['changed', newest!.sequence]],
    )
  })
}

test('the log verifies when the deletion was purged before acts of operators on the earlier user', async () => {
  const { tenant, userId } = await deletedUser({ days: 10 })
  service.clock.advance(11 * day)
  const { storage, snapshots, checkpointKeys } = service.service.services
  const logger = { error: (line: object) => assert.fail(JSON.stringify(line)) }
  await createEventPurge({ storage, snapshots, checkpointKeys, logger })(service.clock.now())
  const kept = (await service.admin.listEvents(tenant, { subject: userId })).items
  assert.ok(kept.length > 0 && kept.every(({ actor }) => actor.kind === 'operator'))
  await importAgain(tenant, userId)
  assert.deepEqual((await verify(tenant)).faults, [])
})
