import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { EventLoopTurns } from '../../../test/support/event-loop-turns.ts'
import { importInto } from '../../../test/support/import-into.ts'
import { refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'

let service: TestService
/** Called for each statement. */
let onStatement: (name: string) => unknown = () => {}
before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void onStatement(name) } })
})
after(() => service.close())

const preview = (tenant: TestTenant, lines: Parameters<typeof importInto>[2]) =>
  importInto(service, tenant, lines, { dryRun: 'true' })

/** Rows that are taken, repeat earlier rows of the file in other batches, or are invalid. */
function fileOf(known: { readonly id: string }): object[] {
  const own = ulid(3)
  const google = [{ provider: 'google', subject: 'g-1' }]
  const fillers = (name: string) => Array.from({ length: 30 }, (_, n) => ({ email: `${name}${n}@example.com` }))
  return [
    { id: known.id, email: 'other@example.com' },
    { email: 'KNOWN@example.com' },
    { email: 'a@example.com', phone: '+33612345600' },
    { email: 'not an address' },
    { id: own, email: 'b@example.com', identities: google },
    ...fillers('x'),
    { email: 'A@example.com' },
    { email: 'c@example.com', phone: '+33612345678' },
    { id: own, email: 'd@example.com' },
    { email: 'e@example.com', identities: google },
    { email: 'f@example.com', profile: { firstName: [] } },
    // Refused above, so its address is free.
    { email: 'c@example.com' },
    { email: 'g@example.com', passwordHash: '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
    ...fillers('x'),
  ]
}

test('reports each row as the import does', async () => {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'firstName', type: 'text' }] })
  const known = await service.admin.createUser(tenant, { email: 'known@example.com', phone: '+33612345678' })
  const file = fileOf(known)
  const before = (await service.admin.listUsers(tenant, { limit: '200' })).items
  const judged = await preview(tenant, file)
  assert.deepEqual((await service.admin.listUsers(tenant, { limit: '200' })).items, before)
  assert.deepEqual(judged.counts, { read: file.length, imported: 33, failed: file.length - 33 })
  assert.deepEqual(judged, await preview(tenant, file), 'a preview leaves nothing behind')
  assert.deepEqual(await importInto(service, tenant, file, { dryRun: 'false' }), judged)
})

test('looks up the users of a batch together, which on PostgreSQL saves round trips', async () => {
  const tenant = await service.addTenant()
  const lookups = new EventLoopTurns()
  onStatement = (name) => /^user\.find|^eventErasure\.find/.test(name) && lookups.note()
  const file = Array.from({ length: 20 }, (_, n) => ({
    id: ulid(n),
    email: `${n}@example.com`,
    phone: `+336123456${n + 10}`,
  }))
  await preview(tenant, file)
  onStatement = () => {}
  assert.equal(lookups.calls, 80)
  // Those that waited for each other would need three turns for each row. Connections take groups of reads.
  assert.ok(lookups.turns < 20, `${lookups.turns}`)
})

test('reports progress, an unknown tenant and an invalid parameter', async () => {
  const tenant = await service.addTenant()
  const rows = Array.from({ length: 1001 }, (_, n) => ({ email: `${n}@example.com` }))
  assert.deepEqual((await preview(tenant, rows)).progress, [{ read: 1000, imported: 1000, failed: 0 }])
  await refused(importInto(service, tenant, [], { dryRun: 'yes' as never }), 'VALIDATION_ERROR')
  await service.admin.deleteTenant(tenant)
  await refused(preview(tenant, rows), 'TENANT_NOT_FOUND')
})
