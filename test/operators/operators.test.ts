import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type GrantedScope, roles } from '../../contract/scopes.ts'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { newestEvent, recordedAfter } from '../support/events/recorded-events.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

const unknown = '01JGFJJZ00E9V4R8ZK3QWX5T7N'
const hour = 3_600_000

let service: TestService
let admin: TenantryAdmin
before(async () => {
  service = await startTestService()
  admin = service.admin
  // Others may be weakened while this one stays.
  await admin.createOperator({ name: 'Owner', role: 'owner' })
})
after(() => service.close())

const clientOf = (adminKey: string) => createTenantryAdmin({ baseUrl: service.baseUrl, adminKey })
const inAnHour = () => new Date(service.clock.now() + hour).toISOString()

/** A new operator with a client for their key. */
async function add(scopes: GrantedScope[], more: { tenantIds?: string[]; expiresAt?: string } = {}) {
  const { id, key, scopes: stored } = await admin.createOperator({ name: 'Operator', scopes, ...more })
  return { id, key, scopes: stored, client: clientOf(key) }
}

/** What `act` records in the log of the deployment, without what went before. */
async function recorded(act: () => Promise<unknown>) {
  service.clock.advance(10)
  const start = newestEvent(service.database)
  await act()
  return recordedAfter(service.database, start).filter(({ log }) => log === 'deployment')
}

test('shows a new operator with the key once, and never again', async () => {
  const { id: tenantId } = await admin.createTenant({ name: 'Tenant' })
  const given = { name: 'Support', email: 'Help@Example.com', tenantIds: [tenantId, tenantId], expiresAt: inAnHour() }
  const { key, ...shown } = await admin.createOperator({ ...given, role: 'support' })
  const { id, createdAt } = shown
  assert.deepEqual(shown, {
    ...{ id, name: 'Support', email: 'help@example.com', scopes: roles.support, tenantIds: [tenantId] },
    ...{ expiresAt: given.expiresAt, createdBy: 'root', createdAt, revokedAt: null, lastUsedAt: null },
  })
  assert.deepEqual(await admin.getOperator({ operatorId: id }), shown)
  const { items } = await admin.listOperators()
  assert.deepEqual(
    items.find((operator) => operator.id === id),
    shown,
  )
  const { scopes, tenantIds, expiresAt } = shown
  const me = { operator: { id, name: 'Support', scopes, tenantIds, expiresAt } }
  assert.deepEqual(await clientOf(key).getCurrentOperator(), me)
  assert.ok(!JSON.stringify(items).includes('op_'))
})

test('names the root key in GET /admin/me', async () => {
  const { operator } = await admin.getCurrentOperator()
  assert.deepEqual(operator, { id: 'root', name: 'root', scopes: ['*'], tenantIds: null, expiresAt: null })
})

test('expands each role when an operator is stored', async () => {
  for (const [role, scopes] of Object.entries(roles)) {
    const operator = await admin.createOperator({ name: role, role: role as keyof typeof roles })
    assert.deepEqual(operator.scopes, scopes)
  }
  assert.deepEqual((await add(['users:read', 'users:read'])).scopes, ['users:read'])
})

test('refuses bad grants by field, and stores nothing', async () => {
  const { id: tenantId } = await admin.createTenant({ name: 'Tenant' })
  const { id: deleted } = await admin.createTenant({ name: 'Deleted' })
  await admin.deleteTenant({ tenantId: deleted })
  const { id: operatorId } = await add(['users:read'])
  const count = (await admin.listOperators()).items.length
  const before = await admin.getOperator({ operatorId })
  const past = new Date(service.clock.now()).toISOString()
  const cases: [given: Record<string, unknown>, problems: Record<string, string>][] = [
    [{ scopes: ['users:read', 'users:erase'] }, { 'scopes.1': 'Invalid enum value' }],
    [{ scopes: [] }, { scopes: 'Validation rule not met' }],
    [{ scopes: 'users:read' }, { scopes: 'Expected array, received string' }],
    [{ role: 'boss' }, { role: 'Invalid enum value' }],
    [{ role: 'viewer', scopes: ['users:read'] }, { role: 'Send either role or scopes, not both' }],
    [{ scopes: ['users:read'], tenantIds: [] }, { tenantIds: 'Validation rule not met' }],
    [{ scopes: ['users:read'], tenantIds: [tenantId, unknown] }, { 'tenantIds.1': 'Unknown tenant' }],
    [{ scopes: ['users:read'], tenantIds: [deleted] }, { 'tenantIds.0': 'Unknown tenant' }],
    [{ scopes: ['users:read'], tenantIds: Array(101).fill(tenantId) }, { tenantIds: 'Validation rule not met' }],
    [{ scopes: ['users:read'], expiresAt: past }, { expiresAt: 'Must be in the future' }],
    [{ scopes: ['users:read'], expiresAt: '9999-12-31T23:59:59-14:00' }, { expiresAt: 'Validation rule not met' }],
    [{ scopes: ['users:read'], expiresAt: 'tomorrow' }, { expiresAt: 'Validation rule not met' }],
    [{ scopes: ['users:read'], email: 'no address' }, { email: 'Invalid email' }],
    [
      { scopes: ['users:read'], name: 'two\nlines' },
      { name: 'Control and bidirectional formatting characters are not allowed; remove them' },
    ],
    [{ scopes: ['users:read'], name: '\u200b ' }, { name: 'Must contain a visible character' }],
  ]
  for (const [given, problems] of cases) {
    await invalid(admin.createOperator({ name: 'Operator', ...given } as never), problems)
    await invalid(admin.updateOperator({ operatorId }, given as never), problems)
  }
  await invalid(admin.createOperator({ name: 'Operator' }), { scopes: 'Required; send either role or scopes' })
  await invalid(admin.createOperator({ role: 'viewer' } as never), { name: 'Required' })
  for (const overlapHours of [-1, 0.5, 8761, '1']) {
    await refused(admin.rotateOperatorKey({ operatorId }, { overlapHours } as never), 'VALIDATION_ERROR')
  }
  assert.equal((await admin.listOperators()).items.length, count)
  assert.deepEqual(await admin.getOperator({ operatorId }), before)
})

test('an unknown operator is 404, and so is every change of a revoked one', async () => {
  const { id } = await add(['users:read'])
  await admin.revokeOperator({ operatorId: id })
  assert.equal((await admin.getOperator({ operatorId: id })).revokedAt !== null, true)
  await refused(admin.getOperator({ operatorId: unknown }), 'OPERATOR_NOT_FOUND')
  for (const operatorId of [id, unknown, 'root', "'"]) {
    await refused(admin.updateOperator({ operatorId }, { name: 'New' }), 'OPERATOR_NOT_FOUND')
    await refused(admin.revokeOperator({ operatorId }), 'OPERATOR_NOT_FOUND')
    await refused(admin.rotateOperatorKey({ operatorId }, {}), 'OPERATOR_NOT_FOUND')
  }
})

test('a change of scopes, a rotation and a revocation take effect with the next request', async () => {
  const { id: operatorId, key, client } = await add(['tenants:read'])
  await client.listTenants()
  await admin.updateOperator({ operatorId }, { scopes: ['users:read'] })
  const { message } = await refused(client.listTenants(), 'INSUFFICIENT_SCOPE')
  assert.match(message, /Missing: tenants:read\.$/)
  await admin.updateOperator({ operatorId }, { role: 'viewer' })
  await client.listTenants()

  const rotated = await admin.rotateOperatorKey({ operatorId }, { overlapHours: 1 })
  assert.notEqual(rotated.key, key)
  await clientOf(rotated.key).listTenants()
  await client.listTenants()
  service.clock.advance(hour)
  await refused(client.listTenants(), 'INVALID_ADMIN_KEY')
  const again = await admin.rotateOperatorKey({ operatorId }, { overlapHours: 0 })
  await refused(clientOf(rotated.key).listTenants(), 'INVALID_ADMIN_KEY')
  await clientOf(again.key).listTenants()

  await admin.revokeOperator({ operatorId })
  await refused(clientOf(again.key).listTenants(), 'INVALID_ADMIN_KEY')
})

test('a repeated creation answers the same key, and only to the operator who asked', async () => {
  const { key: one } = await add(['*'])
  const { key: other } = await add(['operators:write', 'users:read'])
  const create = (key: string) =>
    send(service.baseUrl, {
      method: 'POST',
      path: '/admin/operators',
      headers: [
        ['authorization', `Bearer ${key}`],
        ['content-type', 'application/json'],
        ['idempotency-key', 'the-same'],
      ],
      body: JSON.stringify({ name: 'Once', scopes: ['users:read'] }),
    })
  const keyOf = async (answer: ReturnType<typeof create>) =>
    ((await answer).json() as { data: { key: string } }).data.key
  const made = await keyOf(create(one))
  assert.equal(await keyOf(create(one)), made)
  assert.notEqual(await keyOf(create(other)), made)
  assertRefusal(await create('wrong'), 'INVALID_ADMIN_KEY')
})

test('records each change with its actor, without keys, hashes and whole addresses', async () => {
  const owner = await add(['*'])
  const actor = `operator ${owner.id}`
  let id = ''
  const created = await recorded(async () => {
    const made = await owner.client.createOperator({ name: 'New', email: 'new@example.com', scopes: ['users:read'] })
    id = made.id
  })
  const subject = `operator ${id}`
  const common = { log: 'deployment', actor, subject, outcome: 'done' }
  const details = { scopes: ['users:read'], tenantIds: null }
  const changes = { name: { after: 'New' }, email: { after: 'n***@e***.com' } }
  assert.deepEqual(created, [{ ...common, type: 'operator.created', details, changes }])

  const operatorId = id
  const updated = await recorded(() => owner.client.updateOperator({ operatorId }, { scopes: ['users:write'] }))
  const scopes = { before: ['users:read'], after: ['users:write'] }
  assert.deepEqual(updated, [{ ...common, type: 'operator.updated', changes: { scopes } }])
  assert.deepEqual(await recorded(() => owner.client.updateOperator({ operatorId }, { name: 'New' })), [])
  assert.deepEqual(await recorded(() => owner.client.updateOperator({ operatorId }, {})), [])

  const sameMask = { email: 'nora@example.com' }
  const moved = await recorded(() => owner.client.updateOperator({ operatorId }, sameMask))
  assert.deepEqual(moved, [{ ...common, type: 'operator.updated', changes: { email: {} } }])
  assert.equal((await admin.getOperator({ operatorId })).email, sameMask.email)

  const rotated = await recorded(() => owner.client.rotateOperatorKey({ operatorId }, { overlapHours: 2 }))
  assert.deepEqual(rotated, [{ ...common, type: 'operator.rotated', details: { overlapHours: 2 } }])
  const revoked = await recorded(() => owner.client.revokeOperator({ operatorId }))
  assert.deepEqual(revoked, [{ ...common, type: 'operator.revoked' }])
})
