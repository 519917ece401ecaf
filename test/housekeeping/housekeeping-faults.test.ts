import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventPurge } from '../../server/events/purge-events.ts'
import { currentKey, sampleLog, sealedAtOf } from '../../server/events/verify/sample-log.testkit.ts'
import type { PasswordHasher } from '../../server/passwords/password-hasher.ts'
import { parseTenantKey } from '../../server/tenants/tenant-key.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import { storedLog, storeLog } from '../support/events/sealed-log-rows.ts'
import { scrape } from '../support/http/scrape.ts'
import { addPerson } from '../support/person.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

const DAY = 86_400_000
const metric = 'tenantry_housekeeping_last_success_timestamp_seconds'

const round = ({ service }: TestService) => service.services.housekeeping.run()

/** The logged failures, as [task, error message]. */
const failures = ({ log }: TestService) =>
  log
    .filter((line) => line.includes('housekeeping task failed; retrying in 60 s'))
    .map((line) => JSON.parse(line))
    .map(({ level, task, err }) => {
      assert.equal(level, 50)
      return [task, err.message] as [task: string, message: string]
    })

/** A tenant with an unreadable configuration: every pass over tenants fails for it. */
async function addBroken(service: TestService): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await writeStored(service, "UPDATE tenants SET modules = '{', revision = revision + 1 WHERE id = ?", tenant.tenantId)
  return tenant
}

test('J07: erases guests and migrates profiles although another tenant fails every time', async () => {
  await using service = await startTestService()
  const broken = await addBroken(service)
  const tenant = await service.addTenant({
    configuration: { auth: { methods: ['guest', 'password'], guest: { idleDays: 1 } } },
  })
  const { tenantId } = tenant
  const text = (name: string) => ({ name, type: 'text' as const })
  await service.admin.publishProfileSchema({ tenantId }, { version: '1.0', components: [text('old')] })
  const person = await addPerson(service, tenant)
  await (await person.client()).updateProfile({ old: 'x' })
  const migrations = [{ rename: { from: 'old', to: 'new' } }]
  await service.admin.publishProfileSchema({ tenantId }, { version: '2.0', components: [text('new')], migrations })
  const guest = await tenant.client.signIn({ method: 'guest' })
  service.clock.advance(DAY + 1)

  for (let turn = 1; turn <= 2; turn++) {
    await round(service)
    // The pass that the round started.
    await service.service.services.schemaBuilds.run()
    const failed = failures(service)
    const tasks = failed.map(([task]) => task).filter((task) => task !== 'profile_schema_builds')
    assert.deepEqual(tasks.slice(-3), ['old_events', 'profile_migrations', 'idle_guests'])
    assert.equal(tasks.length, 3 * turn)
    assert.ok(failed.length > tasks.length)
    for (const [, message] of failed) {
      assert.ok(message.startsWith(`failed for tenant ${broken.tenantId}; all other tenants were processed: `), message)
    }
  }
  assert.deepEqual(storedRows(service, 'SELECT id FROM users WHERE id = ?', guest.user.id), [])
  assert.equal(storedRow(service, 'SELECT schema_version FROM profiles')['schema_version'], '2.0')
})

test("purges the event logs of tenants although the deployment's fails", async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant({ configuration: { events: { days: 1, operatorDays: 1 } } })
  storeLog(service.database, sampleLog(tenantId, [2], currentKey))
  let isFirst = true
  const onStatement = (name: string) => {
    if (name !== 'eventPurge.list' || !isFirst) return
    isFirst = false
    throw new Error('broken on purpose')
  }
  const storage = await service.database.open({ onStatement })
  const { snapshots, logger } = service.service.services
  const purge = createEventPurge({ storage, snapshots, checkpointKeys: { signer: async () => currentKey }, logger })
  await assert.rejects(purge(sealedAtOf(1) + DAY + 1), { message: 'broken on purpose' })
  await storage.close()
  assert.deepEqual(storedLog(service.database, tenantId).events, [])
})

/** Makes the database reject the erasure of a tenant, until disposed. */
async function refuseErasure(service: TestService, tenantId: string): Promise<AsyncDisposable> {
  const body = `'BEGIN RAISE EXCEPTION ''broken on purpose''; END'`
  const statements = onPostgres
    ? [
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS ${body}`,
        `CREATE TRIGGER refuse BEFORE DELETE ON tenants FOR EACH ROW WHEN (OLD.id = '${tenantId}') EXECUTE FUNCTION refuse()`,
      ]
    : [
        `CREATE TRIGGER refuse BEFORE DELETE ON tenants WHEN OLD.id = '${tenantId}'
           BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`,
      ]
  for (const sql of statements) await writeStored(service, sql)
  return {
    [Symbol.asyncDispose]: () =>
      writeStored(service, onPostgres ? 'DROP FUNCTION refuse CASCADE' : 'DROP TRIGGER refuse'),
  }
}

test('J07: erases deleted tenants although the first of them fails every time', async () => {
  await using service = await startTestService()
  const [stuck, other, last] = [await service.addTenant(), await service.addTenant(), await service.addTenant()]
  for (const { tenantId } of [stuck, other, last]) {
    await service.admin.deleteTenant({ tenantId })
    service.clock.advance(1)
  }
  await using _refusal = await refuseErasure(service, stuck.tenantId)
  service.clock.advance(5 * 60_000)
  await round(service)
  assert.deepEqual(storedRows(service, 'SELECT id FROM tenants'), [{ id: stuck.tenantId }])
  const [[task, message] = [], ...more] = failures(service)
  assert.deepEqual([task, more], ['deleted_tenants', []])
  assert.match(String(message), new RegExp(`^failed for tenant ${stuck.tenantId}; .*: broken on purpose`))
})

test('J07: records the requests that limits refused although another tenant fails every time', async () => {
  await using service = await startTestService({ limitsText: 'all=off,verify=1/h' })
  const broken = await addBroken(service)
  const tenant = await service.addTenant({ configuration: { events: { detail: 'all' } } })
  const verify = ({ client }: TestTenant) => client.verifyOtp({ id: 'x', scope: 'otp_signin', code: 'x' })
  await assert.rejects(verify(tenant), { status: 404 })
  for (let turn = 1; turn <= 2; turn++) {
    for (const each of [broken, broken, tenant]) await assert.rejects(verify(each), { status: 429 })
    await round(service)
    const refusals = eventRows(service.database).filter(({ row }) => row['type'] === 'limit.exceeded')
    assert.deepEqual(
      refusals.map(({ log }) => log),
      Array(turn).fill(tenant.tenantId),
    )
    const failed = failures(service).filter(([task]) => task === 'exceeded_limits')
    assert.equal(failed.length, turn)
    const { id } = parseTenantKey(broken.key)!
    assert.match(failed.at(-1)![1], new RegExp(`^failed for tenant of key ${id}; all other tenants were processed: `))
  }
})

test('J07: wraps imported digests although another tenant fails every time', async () => {
  const hasher = cheapHasher()
  let brokenId = ''
  await using service = await startTestService({
    hasher: Object.assign(Object.create(hasher), {
      wrap: (...call: Parameters<PasswordHasher['wrap']>) =>
        call[1]?.tenantId === brokenId ? Promise.reject(new Error('broken on purpose')) : hasher.wrap(...call),
    }),
  })
  const tenants = [await service.addTenant(), await service.addTenant()]
  brokenId = tenants[0]!.tenantId
  const digest = '$digest-sha1$i=1,o=salt-first$c2FsdA$W6ph5Mm5Pz8GgiULbPgzG37mj9g'
  for (const tenant of tenants) {
    const person = await addPerson(service, tenant)
    await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', digest, person.userId)
  }
  await round(service)
  const hashOf = ({ tenantId }: TestTenant) =>
    String(storedRow(service, 'SELECT password_hash FROM users WHERE tenant_id = ?', tenantId)['password_hash'])
  await until(() => failures(service).length > 0)
  assert.deepEqual(
    tenants.map((tenant) => hashOf(tenant) === digest),
    [true, false],
  )
  assert.equal(failures(service)[0]?.[0], 'imported_digests')
})

test('runs rounds of a started service once a minute, by itself', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using service = await startTestService({ runsHousekeeping: true })
  const purgedAt = async () => (await scrape(service)).value(metric, '{task="old_otps"}')
  assert.equal(await purgedAt(), 0)
  t.mock.timers.tick(60_000)
  await until(async () => (await purgedAt()) === service.clock.now() / 1000)
})

test("exports the time of each task's last success, 0 before it; a failure leaves it unchanged", async () => {
  let broken = ''
  const onStatement = (name: string) => {
    if (name === broken) throw new Error('broken on purpose')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const times = async () => {
    const { labels, value } = await scrape(service)
    return Object.fromEntries([...labels(metric, 'task')].map((task) => [task, value(metric, `{task="${task}"}`)]))
  }
  // These tasks report themselves, later than the end of the round.
  const untilReported = (before: number) =>
    until(async () => {
      const { imported_digests, profile_schema_builds } = await times()
      return imported_digests !== before && profile_schema_builds !== before
    })
  const tasks = Object.keys(await times())
  assert.ok(tasks.length >= 12, tasks.join())
  assert.deepEqual(
    Object.values(await times()),
    tasks.map(() => 0),
  )
  await round(service)
  await untilReported(0)
  const first = service.clock.now() / 1000
  assert.deepEqual(
    Object.values(await times()),
    tasks.map(() => first),
  )

  service.clock.advance(60_000)
  broken = 'purge.otps'
  await round(service)
  await untilReported(first)
  const { old_otps, ...others } = await times()
  assert.equal(old_otps, first)
  for (const [task, at] of Object.entries(others)) assert.equal(at, first + 60, task)
  assert.deepEqual(failures(service), [['old_otps', 'broken on purpose']])
})

test('ends a pass when the database does not answer, instead of failing for every tenant', async () => {
  let isAway = false
  let tried = 0
  const onStatement = (name: string) => {
    if (!isAway) return
    if (name === 'user.idleGuests') tried++
    if (name === 'user.idleGuests' || name.endsWith('.ping')) throw new Error('the database is away')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const auth = { methods: ['guest'], guest: { idleDays: 1 } }
  for (let n = 0; n < 3; n++) await service.addTenant({ configuration: { auth } })
  isAway = true
  await round(service)
  assert.equal(tried, 1)
  assert.deepEqual(failures(service), [['idle_guests', 'the database is away']])
})
