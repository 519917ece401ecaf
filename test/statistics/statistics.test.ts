import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTotalsRecount } from '../../server/statistics/recount-totals.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const noon = Date.UTC(2026, 0, 15, 12)
const minute = 60_000
const day = 86_400_000
const password = 'correct horse'

const signUp = ({ client }: TestTenant, email: string) => client.signUp({ method: 'password', email, password })
const totalsOf = async ({ admin }: TestService, { tenantId }: TestTenant) =>
  (await admin.getTenantStatistics({ tenantId })).totals
/** Today's counts that are not zero. */
async function todayOf({ admin }: TestService, { tenantId }: TestTenant): Promise<Record<string, number>> {
  const { day: _day, ...acts } = (await admin.getTenantStatistics({ tenantId }, { days: 1 })).days[0]!
  return Object.fromEntries(Object.entries(acts).filter(([, n]) => n !== 0))
}

test('counts what people do, and what a tenant has', async () => {
  await using service = await startTestService({ start: noon })
  const tenant = await service.addTenant({ methods: ['password', 'otp', 'guest'] })
  const { client, tenantId } = tenant
  const { accessToken } = await signUp(tenant, 'ada@example.com')
  await client.signIn({ method: 'password', email: 'ada@example.com', password })
  const guest = await client.signIn({ method: 'guest' })
  await service.admin.createUser({ tenantId }, { email: 'made@example.com' })
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'new@example.com' })
  await service.service.services.delivery.drain()
  service.clock.advance(minute)
  await client.resendOtp({ id, scope: 'otp_signin' })
  await client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  await client.signIn({ method: 'otp', token: id })
  const acts = { signUps: 2, signIns: 1, codes: 2, messagesSent: 2 }
  assert.deepEqual(await todayOf(service, tenant), acts)
  assert.deepEqual(await totalsOf(service, tenant), { users: 4, guests: 1, suspended: 0, openSessions: 4 })

  const { id: reset } = await client.resetPassword({ step: 'challenge', email: 'ada@example.com' })
  await client.verifyOtp({ id: reset, scope: 'reset_password', code: await service.codeOf(reset) })
  await client.resetPassword({ step: 'confirm', token: reset, password: 'battery staple' })
  await client.withSession(guest.accessToken).addIdentity({ method: 'password', email: 'guest@example.com', password })
  await service.admin.updateUser({ tenantId, userId: guest.user.id }, { suspension: {} })
  await service.service.services.delivery.drain()
  const { messagesSent: _notices, ...more } = await todayOf(service, tenant)
  assert.deepEqual(more, { signUps: 3, signIns: 1, codes: 3, resets: 1 })
  assert.deepEqual(await totalsOf(service, tenant), { users: 4, guests: 0, suspended: 1, openSessions: 2 })
  await service.admin.updateUser({ tenantId, userId: guest.user.id }, { suspension: null })
  await service.admin.deleteUser({ tenantId, userId: guest.user.id })
  await refused(client.withSession(accessToken).getAccount(), 'INVALID_USER_TOKEN')
  const left = { users: 3, guests: 0, suspended: 0 }
  const { openSessions: _open, ...now } = (await totalsOf(service, tenant))!
  assert.deepEqual(now, left)
})

test('a refused or repeated act counts once at most', async () => {
  await using service = await startTestService({ start: noon })
  const tenant = await service.addTenant({ methods: ['password'] })
  await signUp(tenant, 'ada@example.com')
  await refused(signUp(tenant, 'ada@example.com'), 'EMAIL_ALREADY_REGISTERED')
  const wrong = { method: 'password', email: 'ada@example.com', password: 'wrong wrong' } as const
  await refused(tenant.client.signIn(wrong), 'INVALID_CREDENTIALS')
  assert.deepEqual(await todayOf(service, tenant), { signUps: 1 })
})

test('counts survive a stop and a start', async () => {
  const first = await startTestService({ start: noon })
  const tenant = await first.addTenant({ methods: ['password'] })
  await signUp(tenant, 'ada@example.com')
  const { database, masterKeys } = first
  const second = await startTestService({ database, masterKeys, start: noon + minute })
  await first.close()
  assert.deepEqual(await todayOf(second, tenant), { signUps: 1 })
  assert.equal((await totalsOf(second, tenant))?.users, 1)
  await second.close()
})

test('while the database refuses writes, counts are kept, and statistics show what is stored', async () => {
  let isBroken = false
  const onStatement = (name: string) => {
    if (isBroken && name.startsWith('count.add')) throw new Error('disk I/O error')
  }
  await using service = await startTestService({ start: noon, hooks: { onStatement } })
  const tenant = await service.addTenant({ methods: ['password'] })
  await signUp(tenant, 'ada@example.com')
  isBroken = true
  await service.service.services.housekeeping.run()
  assert.deepEqual(await todayOf(service, tenant), {})
  await signUp(tenant, 'grace@example.com')
  isBroken = false
  assert.deepEqual(await todayOf(service, tenant), { signUps: 2 })
  assert.equal((await totalsOf(service, tenant))?.users, 2)
})

test('days follow the time zone, and the range is limited', async () => {
  await using service = await startTestService({ start: Date.UTC(2026, 0, 15, 18, 20) })
  const { admin, clock } = service
  const tenant = await service.addTenant({ methods: ['password'] })
  const { tenantId } = tenant
  await signUp(tenant, 'ada@example.com')
  clock.advance(20 * minute)
  await signUp(tenant, 'grace@example.com')
  const daysIn = async (timezone: string) =>
    (await admin.getTenantStatistics({ tenantId }, { days: 2, timezone })).days.map((one) => [one.day, one.signUps])
  assert.deepEqual(await daysIn('UTC'), [
    ['2026-01-14', 0],
    ['2026-01-15', 2],
  ])
  assert.deepEqual(await daysIn('Asia/Kolkata'), [
    ['2026-01-15', 1],
    ['2026-01-16', 1],
  ])
  assert.equal((await admin.getTenantStatistics({ tenantId })).days.length, 30)
  assert.equal((await admin.getStatistics({ days: 90 })).days.length, 90)
  await invalid(admin.getStatistics({ timezone: 'Europe/Atlantis' }), {
    timezone: 'Unknown time zone; send the name of an IANA time zone, such as Europe/Berlin',
  })
  for (const days of [0, 91, 1.5]) await refused(admin.getTenantStatistics({ tenantId }, { days }), 'VALIDATION_ERROR')
  await refused(admin.getTenantStatistics({ tenantId: 'unknown' }), 'TENANT_NOT_FOUND')
})

test('the deployment’s statistics are the sum; an operator bound to tenants gets that of theirs', async () => {
  await using service = await startTestService({ start: noon })
  const { admin, baseUrl } = service
  const [one, two] = [
    await service.addTenant({ methods: ['password'] }),
    await service.addTenant({ methods: ['password'] }),
  ]
  await signUp(one, 'ada@example.com')
  for (const email of ['ada@example.com', 'grace@example.com']) await signUp(two, email)
  const shown = async (client: Pick<TestService['admin'], 'getStatistics'>) => {
    const { totals, days } = await client.getStatistics({ days: 1 })
    return [totals.tenants, totals.users, totals.openSessions, days[0]?.signUps]
  }
  assert.deepEqual(await shown(admin), [2, 3, 3, 3])
  const scopes = ['tenants:read'] as const
  const grants = { name: 'Bound', scopes: [...scopes], tenantIds: [two.tenantId] }
  const bound = createTenantryAdmin({ baseUrl, adminKey: (await admin.createOperator(grants)).key })
  assert.deepEqual(await shown(bound), [1, 2, 2, 2])
  await refused(bound.getTenantStatistics({ tenantId: one.tenantId }), 'TENANT_NOT_FOUND')
  await admin.deleteTenant({ tenantId: two.tenantId })
  assert.deepEqual(await shown(bound), [0, 0, 0, 2])
  assert.deepEqual(await shown(admin), [1, 1, 1, 3])
})

test('totals are counted again: what expired, and what nothing counted', async () => {
  await using service = await startTestService({ start: noon })
  const tenant = await service.addTenant({ methods: ['password'] })
  const { tenantId } = tenant
  const { user } = await signUp(tenant, 'ada@example.com')
  await signUp(tenant, 'grace@example.com')
  const until = new Date(noon + 2 * minute).toISOString()
  await service.admin.updateUser({ tenantId, userId: user.id }, { suspension: { until } })
  assert.deepEqual(await totalsOf(service, tenant), { users: 2, guests: 0, suspended: 1, openSessions: 2 })
  const { counts } = service.service.services
  counts.add(tenantId, 'users', 40)
  assert.equal((await totalsOf(service, tenant))?.users, 42)
  service.clock.advance(5 * minute)
  await service.service.services.housekeeping.run()
  assert.deepEqual(await totalsOf(service, tenant), { users: 2, guests: 0, suspended: 0, openSessions: 2 })
  service.clock.advance(31 * day)
  await service.service.services.housekeeping.run()
  assert.equal((await totalsOf(service, tenant))?.openSessions, 0)
})

test('what is counted and not yet written is not added to a new count of the rows', async () => {
  await using service = await startTestService({ start: noon })
  const tenant = await service.addTenant({ methods: ['password'] })
  await signUp(tenant, 'ada@example.com')
  assert.equal((await totalsOf(service, tenant))?.users, 1)
  const { counts, storage } = service.service.services
  service.clock.advance(5 * minute)
  await signUp(tenant, 'grace@example.com')
  await createTotalsRecount(storage, counts.flush)(service.clock.now())
  assert.deepEqual(await totalsOf(service, tenant), { users: 2, guests: 0, suspended: 0, openSessions: 2 })
})

test('tenants are found by the beginning of name or id, newest or oldest first, with their users', async () => {
  await using service = await startTestService({ start: noon })
  const { admin, baseUrl } = service
  const names = ['Äpfel GmbH', 'äpfel & more', 'Birnen', 'APFEL']
  const ids: string[] = []
  for (const name of names) {
    ids.push((await admin.createTenant({ name })).id)
    // Ids of one millisecond are not ordered.
    service.clock.advance(1)
  }
  await admin.createUser({ tenantId: ids[2]! }, { email: 'ada@example.com' })
  const namesOf = async (query: object, client = admin) =>
    (await client.listTenants(query)).items.map(({ name }) => name)
  assert.deepEqual(await namesOf({ q: 'ÄPF' }), ['Äpfel GmbH', 'äpfel & more'])
  assert.deepEqual(await namesOf({ q: 'äpf', order: 'newest' }), ['äpfel & more', 'Äpfel GmbH'])
  assert.deepEqual(await namesOf({ q: ids[3]!.toLowerCase() }), ['APFEL'])
  assert.deepEqual(await namesOf({ q: 'pfel' }), [])
  assert.deepEqual(await namesOf({ q: '%' }), [])
  assert.deepEqual(await namesOf({ order: 'newest' }), names.toReversed())
  const first = await admin.listTenants({ order: 'newest', limit: 3 })
  assert.deepEqual(await namesOf({ order: 'newest', cursor: first.nextCursor! }), ['Äpfel GmbH'])
  assert.deepEqual(
    first.items.map(({ users }) => users),
    [0, 1, 0],
  )
  await admin.updateTenant({ tenantId: ids[2]! }, { name: 'Äpfel und Birnen' })
  assert.equal((await namesOf({ q: 'äpf' })).length, 3)
  const grants = { name: 'Bound', scopes: ['tenants:read' as const], tenantIds: ids.slice(1) }
  const bound = createTenantryAdmin({ baseUrl, adminKey: (await admin.createOperator(grants)).key })
  assert.deepEqual(await namesOf({ q: 'äpf', order: 'newest' }, bound), ['Äpfel und Birnen', 'äpfel & more'])
  const page = await bound.listTenants({ order: 'newest', limit: 1 })
  assert.deepEqual(await namesOf({ order: 'newest', limit: 1, cursor: page.nextCursor! }, bound), ['Äpfel und Birnen'])
})

test('the deployment shows how it runs, and warnings to those who may act on them', async () => {
  const startWarnings = [{ code: 'SETTINGS', message: 'something is off' }] as const
  await using service = await startTestService({
    startWarnings,
    limitsText: 'all=off,resend=30/h,sms-prefix-verified=10%',
  })
  const { admin, baseUrl } = service
  const shown = await admin.getDeployment()
  assert.deepEqual(
    [shown.environment, shown.testingChannel, shown.senders],
    ['development', true, { email: [], sms: [] }],
  )
  assert.deepEqual(
    ['resend', 'sms-prefix-verified', 'verify'].map((name) => shown.limits[name]),
    ['30/h', '10%', 'off'],
  )
  assert.deepEqual(shown.warnings, startWarnings)
  for (const [scopes, warnings] of [
    [['users:read'], []],
    [['system:read'], startWarnings],
  ] as const) {
    const { key } = await admin.createOperator({ name: 'Operator', scopes: [...scopes] })
    assert.deepEqual((await createTenantryAdmin({ baseUrl, adminKey: key }).getDeployment()).warnings, warnings)
  }
})
