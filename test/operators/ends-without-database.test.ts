import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DatabaseUnavailable, OutcomeUnknown } from '../../server/storage/storage-error.ts'
import { importInto, read } from '../support/import-into.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
/** The statement that finds the database unavailable, as all after it do. */
let lastStatement: { readonly name: string; run: number } | null = null
let isUnavailable = false
/** The event whose COMMIT has an unknown result, counted from now. */
let unknownEvent = 0

before(async () => {
  const onStatement = (name: string) => {
    if (name === lastStatement?.name && lastStatement.run-- === 1) isUnavailable = true
    if (isUnavailable && /^(user|event)\./.test(name)) throw new DatabaseUnavailable(1)
    if (name === 'event.add' && unknownEvent-- === 1) throw new OutcomeUnknown(new Error('connection lost'))
  }
  service = await startTestService({ hooks: { onStatement } })
})
after(() => service.close())

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `user${n}@example.com` }))

/** Runs work that the database interrupts; then it is available again. */
async function interrupted(name: string, run: number, work: () => Promise<unknown>): Promise<void> {
  lastStatement = { name, run }
  await assert.rejects(work)
  lastStatement = null
  assert.ok(isUnavailable)
  isUnavailable = false
}

async function endOf(tenantId: string, type: 'users.exported' | 'users.imported') {
  const found = async () => {
    await service.service.services.events.drain()
    return (await service.admin.listEvents({ tenantId }, { type })).items
  }
  await until(async () => (await found()).length > 0, 5_000)
  return (await found()).map(({ details }) => details)
}

test('the end of an export that an unavailable database breaks off is recorded when it is available again', async () => {
  const { tenantId } = await service.addTenant()
  await importInto(service, { tenantId }, rows(120))
  await interrupted('user.listCredentials', 2, () => read(service.admin.exportUsers({ tenantId })))
  const details = { hashes: false, sensitive: false, users: 50, complete: false }
  assert.deepEqual(await endOf(tenantId, 'users.exported'), [details])
})

test('so is the end of an import', async () => {
  const { tenantId } = await service.addTenant()
  await interrupted('user.add', 21, () => importInto(service, { tenantId }, rows(40)))
  assert.deepEqual(await endOf(tenantId, 'users.imported'), [{ imported: 20, failed: 0, complete: false }])
})

test('the end of an export is recorded again when the result of its COMMIT is unknown, and the export is whole', async () => {
  const { tenantId } = await service.addTenant()
  await importInto(service, { tenantId }, rows(3))
  // The first is that of the start.
  unknownEvent = 2
  const lines = await read(service.admin.exportUsers({ tenantId }))
  assert.deepEqual(lines.at(-1), { done: { exported: 3 } })
  const details = { hashes: false, sensitive: false, users: 3, complete: true }
  assert.deepEqual(await endOf(tenantId, 'users.exported'), [details])
})
