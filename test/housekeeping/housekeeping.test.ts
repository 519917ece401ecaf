import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { utcDay } from '../../server/core/utc-day.ts'
import type { MessageTransport } from '../../server/delivery/message-transport.ts'
import { createTestingChannel } from '../../server/delivery/testing-channel.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import {
  changesNothing,
  storedEverything,
  storedRow,
  storedRows,
  writeStored,
} from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const MINUTE = 60_000
const DAY = 86_400_000
let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

const round = () => service.service.services.housekeeping.run()
const count = (table: string, tenantId: string) =>
  Number(storedRow(service, `SELECT COUNT(*) AS count FROM ${table} WHERE tenant_id = ?`, tenantId)['count'])

test('deletes one-time passwords and messages 7 days after their expiry', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const { id, expiresAt } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await service.codeOf(id)
  await round()
  const counts = () => ['otps', 'outbox'].map((table) => count(table, tenantId))

  assert.deepEqual(counts(), [1, 1])
  service.clock.set(Date.parse(expiresAt) + 7 * DAY)
  // It counts users and sessions again.
  await round()
  assert.deepEqual(counts(), [1, 1])
  await changesNothing(service, round)
  service.clock.advance(1)
  await round()
  assert.deepEqual(counts(), [0, 0])
  await refused(tenant.client.getOtpStatus({ id, scope: 'otp_signin' }), 'OTP_NOT_FOUND')
})

test('deletes a session 30 days after its absolute expiry of 180 days, once its network is forgotten', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  await person.signIn()
  service.clock.advance(210 * DAY)
  await round()
  assert.equal(count('sessions', tenant.tenantId), 1)
  service.clock.advance(1)
  await round()
  assert.equal(count('sessions', tenant.tenantId), 0)
  assert.equal(count('users', tenant.tenantId), 1)
})

test('keeps the numbers of SMS of today and of the day before', async () => {
  const { tenantId } = await service.addTenant()
  const { smsSpending } = service.service.services.storage.forTenant(tenantId)
  const today = utcDay(service.clock.now())
  await smsSpending.spend(today, 1)
  for (const kept of [1, 1, 0]) {
    await round()
    assert.equal(count('sms_spending', tenantId), kept)
    service.clock.advance(DAY)
  }
})

test('keeps the counts of half hours for 92 days', async () => {
  const { tenantId } = await service.addTenant()
  await writeStored(
    service,
    `INSERT INTO tenant_counts (tenant_id, at, sign_ups, sign_ins, codes, resets, messages_sent, messages_failed)
     VALUES (?, ?, 1, 0, 0, 0, 0, 0)`,
    ...[tenantId, service.clock.now()],
  )
  service.clock.advance(92 * DAY)
  await round()
  assert.equal(count('tenant_counts', tenantId), 1)
  service.clock.advance(1)
  await round()
  assert.equal(count('tenant_counts', tenantId), 0)
})

test('deletes all old rows in one round, however many there are', async () => {
  await writeStored(
    service,
    `INSERT INTO operator_sessions (id, operator_id, created_at, last_used_at, ends_at, network)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1001)
     SELECT 'old ' || n, 'old', 0, 0, 0, '' FROM numbers`,
  )
  const left = () => Number(storedRow(service, 'SELECT COUNT(*) AS count FROM operator_sessions')['count'])
  assert.equal(left(), 1001)
  await round()
  assert.equal(left(), 0)
})

test('revokes the keys of a deleted tenant at once; after five minutes erases all its rows, and none of others', async () => {
  const [doomed, bystander] = [await service.addTenant(), await service.addTenant()]
  let places = 0
  for (const tenant of [doomed, bystander]) {
    const { tenantId } = tenant
    await service.admin.publishProfileSchema({ tenantId }, { version: 'x', components: [{ name: 'a', type: 'text' }] })
    // As earlier versions wrote them.
    await writeStored(
      service,
      'INSERT INTO tenant_origins (tenant_id, origin) VALUES (?, ?)',
      tenantId,
      'https://a.example',
    )
    await writeStored(
      service,
      `INSERT INTO inbox (tenant_id, place, id, delivery_method, recipient, sealed, created_at)
       VALUES (?, ?, 'old', 'email', '', '', 0)`,
      ...[tenantId, ++places],
    )
    const person = await addPerson(service, tenant)
    await (await person.client()).updateProfile({ a: 'x' })
    await service.codeOf((await person.issue('reset_password')).id)
  }
  const rowsOf = (tenantId: string) =>
    Object.entries(storedEverything(service)).map(([table, rows]) => {
      const own = rows.filter((row) => row[table === 'tenants' ? 'id' : 'tenant_id'] === tenantId)
      return [table, own.map((row) => ({ ...row, last_used_at: null }))] as const
    })
  const tablesWithRows = (tenantId: string) =>
    rowsOf(tenantId)
      .filter(([, rows]) => rows.length > 0)
      .map(([table]) => table)
  /** Without what housekeeping itself counts. */
  const uncounted = (tenantId: string) => rowsOf(tenantId).filter(([table]) => !/^tenant_(counts|totals)$/.test(table))
  const before = uncounted(bystander.tenantId)
  assert.equal(tablesWithRows(doomed.tenantId).length, 12)

  await service.admin.deleteTenant({ tenantId: doomed.tenantId })
  await refused(doomed.client.getTenantConfiguration(), 'INVALID_TENANT_KEY')
  service.clock.advance(5 * MINUTE - 1)
  // A request that was already authorized may still write.
  await round()
  assert.equal(tablesWithRows(doomed.tenantId).length, 12)
  service.clock.advance(1)
  await round()
  assert.deepEqual(tablesWithRows(doomed.tenantId), [])
  assert.deepEqual(uncounted(bystander.tenantId), before)
  await refused(doomed.client.getTenantConfiguration(), 'INVALID_TENANT_KEY')
  await refused(service.admin.getTenant({ tenantId: doomed.tenantId }), 'TENANT_NOT_FOUND')
  await bystander.client.getTenantConfiguration()
})

test('erasing a tenant with a message in flight does not block recording messages of other tenants', async () => {
  const masterKeys = generateMasterKeys(Date.now())
  const channel = createTestingChannel(createKeyring(masterKeys))
  const onTheWay = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const transport: MessageTransport = {
    canDeliver: () => true,
    async deliver(job, now) {
      onTheWay.resolve()
      await goOn.promise
      return channel.deliver(job, now)
    },
  }
  await using service = await startTestService({ masterKeys, transport })
  const [doomed, bystander] = [await service.addTenant(), await service.addTenant()]
  const issue = ({ client }: TestTenant) => client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await issue(doomed)
  await onTheWay.promise
  await service.admin.deleteTenant({ tenantId: doomed.tenantId })
  service.clock.advance(5 * MINUTE)
  await service.service.services.housekeeping.run()
  goOn.resolve()
  assert.match(await service.codeOf((await issue(bystander)).id), /^\d{6}$/)
  const erased = ['outbox', 'tenants'].map((table) => {
    const column = table === 'tenants' ? 'id' : 'tenant_id'
    return storedRows(service, `SELECT * FROM ${table} WHERE ${column} = ?`, doomed.tenantId).length
  })
  assert.deepEqual(erased, [0, 0])
})

test('records when a key was last used', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const lastUsed = async () => {
    const { items } = await service.admin.listTenantKeys({ tenantId })
    return Object.fromEntries(items.map(({ name, lastUsedAt }) => [name, lastUsedAt]))
  }
  await round()
  assert.deepEqual(await lastUsed(), { app: null, 'back end': null })
  await tenant.client.getTenantConfiguration()
  service.clock.advance(1000)
  await tenant.client.getTenantConfiguration()
  const usedAt = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  await round()
  assert.deepEqual(await lastUsed(), { app: usedAt, 'back end': null })
  await changesNothing(service, round)
})

test('does not record the use of a rejected key', async () => {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  await service.admin.updateTenant({ tenantId }, { suspended: true })
  await refused(tenant.client.getTenantConfiguration(), 'TENANT_SUSPENDED')
  await round()
  const find = 'SELECT MAX(last_used_at) AS used FROM tenant_keys WHERE tenant_id = ?'
  assert.deepEqual(storedRow(service, find, tenantId), { used: null })
})

test('logs that the database is unavailable at shutdown, and shuts down', async () => {
  let isAway = false
  const service = await startTestService({
    hooks: {
      onStatement: (name) => {
        if (isAway && name === 'directory.touchKey') throw new Error('the database is away')
      },
    },
  })
  const { client } = await service.addTenant()
  await client.getTenantConfiguration()
  isAway = true
  await service.close()
  assert.ok(service.log.some((line) => line.includes('failed to store the last uses of keys')))
})
