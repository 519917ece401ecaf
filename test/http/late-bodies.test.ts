import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ErrorCode } from '../../contract/errors.ts'
import { changesNothing, storedRows } from '../support/databases/stored-rows.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { type LateRequest, sendLate as sendLateTo } from '../support/http/send-late.ts'
import type { WireRequest } from '../support/http/wire.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

const statements: string[] = []
let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
  tenant = await service.addTenant()
})
after(() => service.close())

type Headers = NonNullable<WireRequest['headers']>
const asBearer = (token: string): Headers => [
  ['authorization', `Bearer ${token}`],
  ['connection', 'close'],
]
const asApp = ({ key }: TestTenant): Headers => [
  ['x-tenant-key', key],
  ['connection', 'close'],
]
const asUser = ({ key }: TestTenant, token: string): Headers => [['x-tenant-key', key], ...asBearer(token)]

/** To this service unless another is given. */
const sendLate = (request: LateRequest, meanwhile: () => unknown, to = service) => sendLateTo(to, request, meanwhile)

test('judges a one-time password by the time at which the request is complete (CHECK-4)', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const confirm = {
    path: '/auth/reset-password',
    headers: asApp(tenant),
    body: { step: 'confirm', token, password: 'another horse' },
  }
  await changesNothing(service, async () =>
    assertRefusal(await sendLate(confirm, () => service.clock.advance(600_000)), 'OTP_NOT_FOUND'),
  )
  await person.signIn()
})

test('counts the resend interval from the time at which the request is complete (CHECK-4, RESEND-4)', async () => {
  const body = { id: (await (await addPerson(service, tenant)).issue('otp_signin')).id, scope: 'otp_signin' } as const
  service.clock.advance(60_000)
  const resend = { path: '/otp/resend', headers: asApp(tenant), body }
  assertSuccess(await sendLate(resend, () => service.clock.advance(14_000)), 201)
  service.clock.advance(59_999)
  await refused(tenant.client.resendOtp(body), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  service.clock.advance(1)
  await tenant.client.resendOtp(body)
})

test('answers with the time at which the request is complete', async () => {
  const issue = { path: '/otp', headers: asApp(tenant), body: { scope: 'otp_signin', email: 'late@example.com' } }
  const { meta, data } = (await sendLate(issue, () => service.clock.advance(900))).json() as {
    meta: { timestamp: string }
    data: { createdAt: string }
  }
  const now = new Date(service.clock.now()).toISOString()
  assert.deepEqual([meta.timestamp, data.createdAt], [now, now])
})

type Change = (caller: { tenant: TestTenant; person: Person; token: string }) => Promise<unknown>

const changes: [name: string, code: ErrorCode, change: Change][] = [
  [
    'its session has ended',
    'INVALID_USER_TOKEN',
    ({ tenant: { client }, token }) => client.signOut({ scope: 'all' }, { accessToken: token }),
  ],
  [
    'its user was deleted',
    'TOKEN_USER_NOT_FOUND',
    ({ tenant: { tenantId }, person: { userId } }) => service.admin.deleteUser({ tenantId, userId }),
  ],
  [
    'its user was suspended',
    'RESTRICTED_CAPABILITY',
    ({ tenant: { tenantId }, person: { userId } }) =>
      service.admin.updateUser({ tenantId, userId }, { suspension: {} }),
  ],
  [
    'the capability was restricted',
    'RESTRICTED_CAPABILITY',
    ({ tenant: { tenantId } }) =>
      service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['profile_update'] }),
  ],
  [
    'the tenant was suspended',
    'TENANT_SUSPENDED',
    ({ tenant: { tenantId } }) => service.admin.updateTenant({ tenantId }, { suspended: true }),
  ],
  [
    'the key was revoked',
    'INVALID_TENANT_KEY',
    async ({ tenant: { tenantId } }) => {
      const { items: keys } = await service.admin.listTenantKeys({ tenantId })
      for (const { id: keyId } of keys) await service.admin.revokeTenantKey({ tenantId, keyId })
    },
  ],
]

for (const [name, code, change] of changes) {
  test(`refuses a late body when ${name} (CHECK-4)`, async () => {
    const own = await service.addTenant()
    const person = await addPerson(service, own)
    const { accessToken: token } = await person.signIn()
    const update = { method: 'PATCH', path: '/account/profile', headers: asUser(own, token), body: {} }
    const answer = await sendLate(update, async () => {
      await change({ tenant: own, person, token })
      service.clock.advance(1_000)
    })
    assertRefusal(answer, code)
    assert.deepEqual(storedRows(service, 'SELECT id FROM profiles WHERE user_id = ?', person.userId), [])
  })
}

test('runs the checks again before a late body is judged (CHECK-1, CHECK-4)', async () => {
  const { accessToken: token } = await (await addPerson(service, tenant)).signIn()
  const update = { method: 'PATCH', path: '/account/profile', headers: asUser(tenant, token), body: [] }
  assertRefusal(await sendLate(update, () => service.clock.advance(900_000)), 'INVALID_USER_TOKEN')
})

test('checks a body that arrives in time once, a late one twice, and counts both once (CHECK-4)', async () => {
  await using limited = await startTestService({
    limitsText: 'all=off,profile=5/h',
    hooks: { onStatement: (name) => void statements.push(name) },
  })
  const own = await limited.addTenant()
  const { accessToken: token } = await (await addPerson(limited, own)).signIn()
  const update = { method: 'PATCH', path: '/account/profile', headers: asUser(own, token), body: {} }
  const checksOf = async (elapsed: number) => {
    statements.length = 0
    const answer = await sendLate(update, () => limited.clock.advance(elapsed), limited)
    assertSuccess(answer, 200)
    const { ratelimit } = answer.headers
    return [statements.filter((name) => name === 'caller.session').length, /r=(\d)/.exec(String(ratelimit))?.[1]]
  }
  assert.deepEqual(await checksOf(999), [1, '4'])
  assert.deepEqual(await checksOf(1_000), [2, '3'])
})

test('refuses the late body of an operator who was revoked (CHECK-4)', async () => {
  const { id, key } = await service.admin.createOperator({ name: 'Leaving', scopes: ['tenants:write'] })
  const create = { path: '/admin/tenants', headers: asBearer(key), body: { name: 'Late' } }
  const answer = await sendLate(create, async () => {
    await service.admin.revokeOperator({ operatorId: id })
    service.clock.advance(1_000)
  })
  assertRefusal(answer, 'INVALID_ADMIN_KEY')
  const { items } = await service.admin.listTenants()
  assert.ok(items.every(({ name }) => name !== 'Late'))
})

test('refuses the body of an operator who was revoked before it was complete, however soon (CHECK-4)', async () => {
  await service.admin.createOperator({ name: 'Staying', scopes: ['operators:write'] })
  const { id, key } = await service.admin.createOperator({ name: 'Leaving', scopes: ['operators:write'] })
  const body = { name: 'Successor', scopes: ['operators:write'] }
  const create = { path: '/admin/operators', headers: asBearer(key), body }
  const answer = await sendLate(create, () => service.admin.revokeOperator({ operatorId: id }))
  assertRefusal(answer, 'INVALID_ADMIN_KEY')
  const { items } = await service.admin.listOperators()
  assert.ok(items.every(({ name }) => name !== 'Successor'))
})

test('an operator whose scopes were taken cannot take them back with a body that was held (CHECK-4)', async () => {
  const { id, key } = await service.admin.createOperator({
    name: 'Demoted',
    scopes: ['operators:write', 'users:write'],
  })
  const body = { scopes: ['operators:write', 'users:write'] }
  const update = { method: 'PATCH', path: `/admin/operators/${id}`, headers: asBearer(key), body }
  const answer = await sendLate(update, () =>
    service.admin.updateOperator({ operatorId: id }, { scopes: ['tenants:read'] }),
  )
  assertRefusal(answer, 'INSUFFICIENT_SCOPE')
})

test('refuses the late body of an operator who was revoked while the clock was set back (CHECK-4)', async () => {
  const { id, key } = await service.admin.createOperator({ name: 'Leaving', scopes: ['tenants:write'] })
  const create = { path: '/admin/tenants', headers: asBearer(key), body: { name: 'Late' } }
  const answer = await sendLate(create, async () => {
    await service.admin.revokeOperator({ operatorId: id })
    service.clock.advance(-3_600_000)
  })
  service.clock.advance(3_600_000)
  assertRefusal(answer, 'INVALID_ADMIN_KEY')
})

test('stops the import of an operator who was revoked (CHECK-4)', async () => {
  const { tenantId } = await service.addTenant()
  const { id, key } = await service.admin.createOperator({ name: 'Leaving', scopes: ['users:write'] })
  const lines = Array.from({ length: 25 }, (_, at) => `{"email":"import-${at}@example.com"}\n`).join('')
  const wire = { path: `/admin/tenants/${tenantId}/users/import`, headers: asBearer(key), body: lines }
  const imported = () => storedRows(service, 'SELECT id FROM users WHERE tenant_id = ? ORDER BY id', tenantId).length
  const answer = await sendLate(wire, async () => {
    await until(() => imported() === 20)
    await service.admin.revokeOperator({ operatorId: id })
    service.clock.advance(1_000)
  })
  assert.match(answer.text, /"code":"INVALID_ADMIN_KEY"/)
  assert.equal(imported(), 20)
})
