import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { GrantedScope } from '../../contract/scopes.ts'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000

let service: TestService
let admin: TenantryAdmin
before(async () => {
  service = await startTestService()
  admin = service.admin
})
after(() => service.close())
beforeEach(() => writeStored(service, 'DELETE FROM operators'))

const clientOf = (adminKey: string) => createTenantryAdmin({ baseUrl: service.baseUrl, adminKey })
const at = (time: number) => new Date(time).toISOString()

async function add(scopes: GrantedScope[], more: { tenantIds?: string[]; expiresAt?: string } = {}) {
  const { id, key } = await admin.createOperator({ name: 'Operator', scopes, ...more })
  return { id, key, client: clientOf(key) }
}

/** The events of refused operators so far: who, and what was missing. */
const refusals = () =>
  eventRows(service.database)
    .filter(({ row }) => row['type'] === 'operator.refused')
    .map(({ row, public: { details } }) => [row['actor_id'], details])

test('an operator gives only what they have, to a new operator, to another one and to themselves', async () => {
  await add(['*'])
  const expiresAt = at(service.clock.now() + hour)
  const { id, client } = await add(['operators:write', 'users:write'], { expiresAt })
  const { id: operatorId } = await add(['users:read'], { expiresAt })
  const { operator: me } = await client.getCurrentOperator()
  const name = 'Made'
  const cases: [missing: string, scopes: GrantedScope[], expiresAt: string | null][] = [
    ['*', ['*'], expiresAt],
    ['users:delete', ['users:read', 'users:delete'], expiresAt],
    ['keys:read', ['keys:read'], expiresAt],
    ['later expiry', ['users:read'], null],
    ['later expiry', ['users:read'], at(service.clock.now() + hour + 1)],
  ]
  for (const [missing, scopes, later] of cases) {
    const expected = new RegExp(`Missing: ${missing.replace('*', '\\*')}\\.$`)
    const given = { scopes, expiresAt: later }
    const attempts = [
      () => client.createOperator({ name, ...given }),
      () => client.updateOperator({ operatorId }, given),
      () => client.updateOperator({ operatorId: id }, given),
    ]
    for (const attempt of attempts) assert.match((await refused(attempt(), 'INSUFFICIENT_SCOPE')).message, expected)
  }
  assert.deepEqual((await client.getCurrentOperator()).operator, me)
  await client.createOperator({ name, scopes: ['users:read', 'operators:write'], expiresAt })
  await client.updateOperator({ operatorId }, { scopes: ['users:write'] })
  await until(() => refusals().length >= cases.length * 3)
  const missing = ['*', 'users:delete', 'keys:read', 'later expiry', 'later expiry'].flatMap((each) => [
    each,
    each,
    each,
  ])
  const recorded = refusals().filter(([actor]) => actor === id)
  assert.deepEqual(recorded.map(([, details]) => (details as { missing: string }).missing).sort(), missing.sort())
})

test('weakening a stronger operator is possible only down to what the caller has', async () => {
  await add(['*'])
  const { id: tenantId } = await admin.createTenant({ name: 'Tenant' })
  const strong = await add(['users:write', 'keys:write'], { tenantIds: [tenantId] })
  const { client } = await add(['operators:write', 'users:write'])
  const operatorId = strong.id
  // Each of these leaves the operator with keys:write, now for all tenants or for longer.
  const raising = [{ tenantIds: null }, { expiresAt: at(service.clock.now() + hour) }]
  for (const given of raising) await refused(client.updateOperator({ operatorId }, given), 'INSUFFICIENT_SCOPE')
  await client.updateOperator({ operatorId }, { name: 'Renamed' })
  await client.updateOperator({ operatorId }, { scopes: ['users:read'], tenantIds: null })
})

test('rotating the key of an operator who has more is refused', async () => {
  const owner = await add(['*'])
  const { id, client } = await add(['operators:write'])
  const { message } = await refused(client.rotateOperatorKey({ operatorId: owner.id }, {}), 'INSUFFICIENT_SCOPE')
  assert.match(message, /Missing: \*\.$/)
  await owner.client.getCurrentOperator()
  await client.rotateOperatorKey({ operatorId: id }, {})
  await owner.client.rotateOperatorKey({ operatorId: id }, {})
})

test('an operator bound to tenants administers no operators', async () => {
  const owner = await add(['*'])
  const { id: tenantId } = await admin.createTenant({ name: 'Tenant' })
  const { id, client } = await add(['*'], { tenantIds: [tenantId] })
  const before = storedRows(service, 'SELECT * FROM operators ORDER BY id')
  for (const attempt of [
    () => client.createOperator({ name: 'Made', scopes: ['users:read'], tenantIds: [tenantId] }),
    () => client.listOperators(),
    () => client.getOperator({ operatorId: id }),
    () => client.updateOperator({ operatorId: id }, { tenantIds: null }),
    () => client.rotateOperatorKey({ operatorId: owner.id }, {}),
    () => client.revokeOperator({ operatorId: owner.id }),
  ]) {
    assert.match((await refused(attempt(), 'INSUFFICIENT_SCOPE')).message, /Missing: all tenants\.$/)
  }
  await until(() => refusals().filter(([actor]) => actor === id).length === 6)
  assert.deepEqual(storedRows(service, 'SELECT * FROM operators ORDER BY id'), before)
})

test('the last operator who can administer operators stays, whatever the root key could do', async () => {
  const last = await add(['operators:write', 'tenants:read'])
  const { id: tenantId } = await admin.createTenant({ name: 'Tenant' })
  await add(['*'], { tenantIds: [tenantId] })
  await add(['*'], { expiresAt: at(service.clock.now() + hour) })
  await add(['users:write', 'operators:read'])
  const operatorId = last.id
  for (const client of [admin, last.client]) {
    for (const given of [
      { scopes: ['operators:read', 'tenants:read'] as const },
      { tenantIds: [tenantId] },
      { expiresAt: at(service.clock.now() + hour) },
    ]) {
      await refused(client.updateOperator({ operatorId }, given as never), 'LAST_OPERATOR')
    }
    await refused(client.revokeOperator({ operatorId }), 'LAST_OPERATOR')
  }
  await admin.updateOperator({ operatorId }, { scopes: ['operators:write'], name: 'Last' })
  const other = await add(['*'])
  await other.client.revokeOperator({ operatorId })
  await refused(admin.revokeOperator({ operatorId: other.id }), 'LAST_OPERATOR')
})

test('of the removals of all operators at once, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    await writeStored(service, 'DELETE FROM operators')
    const operators = await Promise.all(Array.from({ length: 6 }, () => add(['*'])))
    const [kept, weakened] = [operators.slice(0, 3), operators.slice(3)]
    const answers = await Promise.allSettled([
      ...kept.map(({ id }) => admin.revokeOperator({ operatorId: id })),
      ...weakened.map(({ id }) => admin.updateOperator({ operatorId: id }, { scopes: ['users:read'] })),
    ])
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    assert.deepEqual(failed, ['LAST_OPERATOR'])
  }
})
