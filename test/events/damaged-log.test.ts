import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, test } from 'node:test'
import { makeLax } from '../../server/events/verify/stored-tampering.testkit.ts'
import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
let person: Person
before(async () => {
  service = await startTestService()
})
after(() => service.close())
/** A tenant with sealed events, most of them about one person. */
async function addLog(): Promise<void> {
  tenant = await service.addTenant()
  person = await addPerson(service, tenant)
  await person.signIn()
  await service.service.services.events.drain()
}
beforeEach(addLog)

const code = 'EVENT_LOG_DAMAGED'
const admin = () => ({ authorization: `Bearer ${service.adminKey}` })
const log = () => `/admin/tenants/${tenant.tenantId}/events`
const read = (path: string) => request(service, `GET ${path}`, { headers: admin() })
const outcome = ({ status, body }: RawAnswer) => [status, body?.error?.code]

/** Why the last request failed, as it was logged. */
function reason(): string {
  const { err } = JSON.parse(service.log.findLast((line) => JSON.parse(line).msg === 'unexpected error')!)
  return JSON.stringify(err)
}

/** Each reader of events names the damage, and so does the verification. */
async function requireExplained(field: string): Promise<void> {
  assert.deepEqual(outcome(await read(log())), [500, code])
  assert.match(reason(), new RegExp(`event \\d+ has an invalid value in ${field}`))
  assert.deepEqual(outcome(await read(`${log()}?subject=${person.userId}`)), [500, code])
  await assert.rejects(Array.fromAsync(service.admin.exportEvents({ tenantId: tenant.tenantId })), { code })
  const user = await person.client()
  await assert.rejects(user.listActivity(), { code })
  await assert.rejects(user.exportAccount(), { code })
  const { faults } = await service.admin.verifyEvents({ tenantId: tenant.tenantId })
  assert.ok(
    faults.some(({ kind }) => kind === 'changed'),
    JSON.stringify(faults),
  )
}

const damage = (set: string) =>
  writeStored(
    service,
    `UPDATE events SET ${set} WHERE tenant_id = ? AND sequence =
       (SELECT MAX(sequence) FROM events WHERE tenant_id = ? AND subject_id = ?)`,
    tenant.tenantId,
    tenant.tenantId,
    person.userId,
  )

for (const [column, value] of [
  ['public', '{'],
  ['public', 'null'],
  ['public', '{"changed":5}'],
  ['public', '{"details":[]}'],
  ['personal', '"x"'],
  ['personal', ''],
  ['personal', '{"changes":5}'],
] as const) {
  test(`a stored event whose ${column} part is ${JSON.stringify(value)} is named by every reader`, async () => {
    await damage(`${column} = '${value}'`)
    await requireExplained(column)
  })
}

const onSqlite = testOnSqliteAlone('PostgreSQL stores no value of another type')

/** Drops what the schema enforces, as someone who can write the file can. */
function dropTypes(): void {
  using database = new DatabaseSync(parseSqliteUrl(service.database.url))
  makeLax(database)
}

onSqlite('values of another type are named by every reader', async () => {
  const cases = [
    ['at', "'yesterday'", 'at'],
    ['at', '8640000000000001', 'at'],
    ['type', "x'00'", 'type'],
    ['actor_kind', 'NULL', 'actorKind'],
    ['public', "x'7b7d'", 'public'],
    ['commitment', '1.5', 'commitment'],
  ] as const
  const logs: [TestTenant, Person][] = []
  for (const _case of cases) {
    await addLog()
    logs.push([tenant, person])
  }
  // Such a table cannot be sealed to any more.
  dropTypes()
  for (const [index, [column, value, field]] of cases.entries()) {
    ;[tenant, person] = logs[index]!
    await damage(`${column} = ${value}`)
    await requireExplained(field)
  }
  await writeStored(service, "UPDATE event_batches SET sealed_at = 'x' WHERE tenant_id = ?", tenant.tenantId)
  assert.deepEqual(outcome(await read(`${log()}/checkpoints`)), [500, code])
  assert.match(reason(), /batch \d+ has an invalid value in sealedAt/)
  const { faults } = await service.admin.verifyEvents({ tenantId: tenant.tenantId })
  assert.ok(faults.some(({ problem }) => problem.includes('invalid value in sealedAt')))
})
