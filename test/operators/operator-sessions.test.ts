import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openConsole, signInToConsole } from '../support/browser/console.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const ask = (path: string, cookie: readonly [string, string], of: TestService = service) =>
  send(of.baseUrl, { path, headers: [cookie] })
const operators = () => service.service.services.storage.system.operators

test('a session has the scopes and the tenants of its operator, as they are now', async () => {
  const { tenantId } = await service.addTenant()
  const other = await service.addTenant()
  const { id, key } = await storeOperator(service, { name: 'Kim', scopes: ['users:read'], tenantIds: [tenantId] })
  const answer = await signInToConsole(service.baseUrl, key)
  const shown = { id, name: 'Kim', scopes: ['users:read'], tenantIds: [tenantId] }
  assert.deepEqual(assertSuccess(answer, 201)['operator'], shown)
  const cookie = await openConsole(service.baseUrl, key)
  assert.equal((await ask(`/admin/tenants/${tenantId}/users`, cookie)).status, 200)
  assertRefusal(await ask(`/admin/tenants/${other.tenantId}/users`, cookie), 'TENANT_NOT_FOUND')
  assertRefusal(await ask(`/admin/tenants/${tenantId}/keys`, cookie), 'INSUFFICIENT_SCOPE')
  await operators().update({ id, name: 'Kim', email: null, scopes: ['keys:read'], tenantIds: null, expiresAt: null })
  assert.equal((await ask(`/admin/tenants/${other.tenantId}/keys`, cookie)).status, 200)
  assertRefusal(await ask(`/admin/tenants/${tenantId}/users`, cookie), 'INSUFFICIENT_SCOPE')
})

test('revoking an operator ends its sessions at once, in every process (CONSOLE-8, threat K07)', async () => {
  await using second = await startTestService({ database: service.database, masterKeys: service.masterKeys })
  const { id, key } = await storeOperator(service, { scopes: ['*'] })
  const cookie = await openConsole(service.baseUrl, key)
  for (const each of [service, second]) assert.equal((await ask('/admin/tenants', cookie, each)).status, 200)
  await operators().revoke(id, service.clock.now())
  for (const each of [service, second]) {
    assertRefusal(await ask('/admin/tenants', cookie, each), 'INVALID_ADMIN_KEY')
    assert.equal(assertSuccess(await ask('/admin/session', cookie, each), 200)['operator'], null)
  }
  assertRefusal(await signInToConsole(service.baseUrl, key), 'INVALID_ADMIN_KEY')
})

test('a session ends with the key of its operator (CONSOLE-7, threat K07)', async () => {
  const expiresAt = service.clock.now() + hour / 4
  const { key } = await storeOperator(service, { scopes: ['*'], expiresAt })
  const answer = await signInToConsole(service.baseUrl, key)
  assert.equal(assertSuccess(answer, 201)['expiresAt'], new Date(expiresAt).toISOString())
  const cookie = await openConsole(service.baseUrl, key)
  service.clock.advance(hour / 4 - 1)
  assert.equal((await ask('/admin/tenants', cookie)).status, 200)
  service.clock.advance(1)
  assertRefusal(await ask('/admin/tenants', cookie), 'INVALID_ADMIN_KEY')
})

test('the root key cannot sign in once it is off, and its sessions have ended (CONSOLE-8, threat K07)', async () => {
  const cookie = await openConsole(service.baseUrl, testAdminKey)
  const shared = { database: service.database, masterKeys: service.masterKeys }
  await using rootless = await startTestService({ ...shared, adminKey: null })
  assertRefusal(await ask('/admin/tenants', cookie, rootless), 'INVALID_ADMIN_KEY')
  for (const key of [testAdminKey, 'off', 'null']) {
    assertRefusal(await signInToConsole(rootless.baseUrl, key), 'INVALID_ADMIN_KEY')
  }
})

test('a sign-in and a refused one are recorded, and neither key nor token is', async () => {
  await using fresh = await startTestService()
  const { id, key } = await storeOperator(fresh, { scopes: ['*'] })
  const [, cookie] = await openConsole(fresh.baseUrl, key)
  await signInToConsole(fresh.baseUrl, 'wrong')
  const columns = 'type, actor_kind, actor_id, subject_kind, subject_id, outcome, public, personal'
  const stored = () => storedRows(fresh, `SELECT ${columns} FROM event_queue ORDER BY type DESC`)
  // The refusal does not wait for its event.
  await until(() => stored().length === 2)
  const events = stored()
  assert.deepEqual(
    events.map(({ public: _public, personal: _personal, ...event }) => ({ ...event })),
    [
      {
        ...{ type: 'operator.signed_in', actor_kind: 'operator', actor_id: id },
        ...{ subject_kind: 'operator', subject_id: id, outcome: 'done' },
      },
      {
        ...{ type: 'operator.refused', actor_kind: 'anonymous', actor_id: null },
        ...{ subject_kind: 'operator', subject_id: null, outcome: 'refused' },
      },
    ],
  )
  for (const secret of [key, key.split('_')[2]!, cookie.split('=')[1]!])
    assert.ok(!JSON.stringify(events).includes(secret))
})

test('a failed sign-in stores neither session nor event', async () => {
  let isFailing = false
  await using failing = await startTestService({
    hooks: {
      onStatement: (name) => {
        if (isFailing && name.startsWith('event')) throw new Error('the event cannot be stored')
      },
    },
  })
  isFailing = true
  const answer = await signInToConsole(failing.baseUrl, testAdminKey)
  isFailing = false
  assertRefusal(answer, 'INTERNAL_SERVER')
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.deepEqual(storedRows(failing, 'SELECT id FROM operator_sessions'), [])
})
