import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { metricsType } from '../../contract/system.ts'
import { version } from '../../server/core/version.ts'
import { TemporaryFailure } from '../../server/delivery/provider.ts'
import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { deploymentSmtp, drain, startSendingService } from '../support/delivery/sending-service.ts'
import { freePort } from '../support/free-port.ts'
import { request } from '../support/http/raw-request.ts'
import { type Scraped, scrape } from '../support/http/scrape.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
/** While set, the provider rejects messages. */
let jammed = false
/** Statements that throw. */
let isBroken = (_statement: string): boolean => false
before(async () => {
  service = await startTestService({
    limitsText: 'all=off,status=1/h,failed-passwords=1/15m,wrong-codes-per-network=2/d',
    hooks: { onStatement: (name) => void (isBroken(name) && assert.fail('broken on purpose')) },
    transport: {
      canDeliver: () => true,
      deliver: async () => (jammed ? Promise.reject(new TemporaryFailure('jammed')) : {}),
    },
  })
})
after(() => service.close())

const answers = 'tenantry_http_request_duration_seconds'

/** The growth of a series between two scrapes; an absent one counts as 0. */
const growth = (from: Scraped, to: Scraped, name: string, labels?: string): number =>
  (to.value(name, labels) ?? Number.NaN) - (from.value(name, labels) ?? 0)

test('requires the admin key', async () => {
  const { key, secretKey } = await service.addTenant()
  const codeFor = async (headers: Record<string, string>) =>
    (await request(service, 'GET /metrics', { headers })).body.error.code
  assert.equal(await codeFor({}), 'MISSING_ADMIN_KEY')
  assert.equal(await codeFor({ 'x-tenant-key': secretKey }), 'MISSING_ADMIN_KEY')
  assert.equal(await codeFor({ authorization: `Bearer ${service.adminKey}x` }), 'INVALID_ADMIN_KEY')
  assert.equal(await codeFor({ authorization: `Bearer ${key}` }), 'INVALID_ADMIN_KEY')
  const headers = { authorization: `Bearer ${service.adminKey}` }
  const answer = await request(service, 'GET /metrics', { headers })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), metricsType)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal((await request(service, 'HEAD /metrics', { headers })).text, '')
  assert.match(await service.admin.getMetrics(), /^# HELP tenantry_/)
})

test('counts and times answers by operation and code, unmatched requests as unknown', async () => {
  const { client } = await service.addTenant()
  const from = await scrape(service)
  await client.getTenantConfiguration()
  await client.getTenantConfiguration()
  await refused(client.withSession('x').getAccount(), 'INVALID_USER_TOKEN')
  for (const line of ['GET /nowhere', 'DELETE /tenant-configuration', 'GET /openapi.json']) await request(service, line)
  const to = await scrape(service)
  const grown = (operation: string, code: string) =>
    growth(from, to, `${answers}_count`, `{operation="${operation}",code="${code}"}`)
  assert.equal(grown('getTenantConfiguration', 'OK'), 2)
  assert.equal(grown('getAccount', 'INVALID_USER_TOKEN'), 1)
  assert.equal(grown('unknown', 'NOT_FOUND'), 1)
  assert.equal(grown('unknown', 'METHOD_NOT_ALLOWED'), 1)
  assert.equal(grown('getOpenApi', 'OK'), 1)
  const series = 'operation="getTenantConfiguration",code="OK"}'
  assert.equal(to.value(`${answers}_bucket`, `{le="10",${series}`), to.value(`${answers}_count`, `{${series}`))
  const seconds = to.value(`${answers}_sum`, `{${series}`)!
  assert.ok(seconds > 0 && seconds < 10, String(seconds))
})

test('counts one-time passwords by step, scope and outcome', async () => {
  const tenant = await service.addTenant({ configuration: { otp: { resendIntervalSeconds: 60 } } })
  const person = await addPerson(service, tenant)
  const { email } = person
  const { client } = tenant
  const session = await person.client()
  const from = await scrape(service)
  const { id } = await client.issueOtp({ scope: 'otp_signin', email })
  await refused(client.resendOtp({ id, scope: 'otp_signin' }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  await refused(client.verifyOtp({ id, scope: 'otp_signin', code: 'wrong' }), 'OTP_INVALID_CODE')
  await refused(client.signIn({ method: 'otp', token: id }), 'OTP_NOT_CONSUMABLE')
  await refused(client.signIn({ method: 'password', email, password: 'not this one' }), 'INVALID_CREDENTIALS')
  await refused(session.stepUp({ method: 'otp', token: id }), 'OTP_NOT_CONSUMABLE')
  await refused(client.recoverAccount({ id, code: '12345678' }), 'OTP_NOT_FOUND')
  await client.resetPassword({ step: 'challenge', email })
  await refused(client.resetPassword({ step: 'confirm', token: id, password: 'correct horse' }), 'OTP_NOT_FOUND')
  await refused(client.verifyOtp({ id, scope: 'nothing' as never, code: '1' }), 'VALIDATION_ERROR')
  const to = await scrape(service)
  const steps = [
    ['issue', 'otp_signin', 'OK'],
    ['resend', 'otp_signin', 'OTP_RESEND_INTERVAL_NOT_EXPIRED'],
    ['verify', 'otp_signin', 'OTP_INVALID_CODE'],
    ['sign_in', 'otp_signin', 'OTP_NOT_CONSUMABLE'],
    ['step_up', 'otp_signin', 'OTP_NOT_CONSUMABLE'],
    ['recover', 'address_recovery', 'OTP_NOT_FOUND'],
    ['challenge', 'reset_password', 'OK'],
    ['confirm', 'reset_password', 'OTP_NOT_FOUND'],
  ]
  for (const [operation, scope, outcome] of steps) {
    const labels = `{operation="${operation}",scope="${scope}",outcome="${outcome}"}`
    assert.equal(growth(from, to, 'tenantry_otp_total', labels), 1, labels)
  }
  const all = ({ text }: Scraped) =>
    [...text.matchAll(/^tenantry_otp_total\{.* (\d+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0)
  assert.equal(all(to) - all(from), steps.length, 'passwords and invalid bodies are not counted')
})

test('reports outbox depth, age and attempt results', async () => {
  const { client } = await service.addTenant()
  const { delivery } = service.service.services
  const attempts = (state: string) => `{method="email",state="${state}"}`
  await delivery.drain()
  service.clock.advance(5_000)
  const from = await scrape(service)
  assert.equal(from.value('tenantry_outbox_oldest_age_seconds'), 0)
  jammed = true
  await client.issueOtp({ scope: 'otp_signin', email: 'waiting@example.com' })
  await delivery.drain()
  const soon = await scrape(service)
  assert.equal(soon.value('tenantry_outbox_messages', '{state="queued"}'), 0, 'the count is cached for a moment')
  service.clock.advance(3_000)
  await delivery.drain()
  const waiting = await scrape(service)
  assert.equal(waiting.value('tenantry_outbox_messages', '{state="queued"}'), 1)
  assert.equal(waiting.value('tenantry_outbox_messages', '{state="sending"}'), 0)
  assert.equal(waiting.value('tenantry_outbox_oldest_age_seconds'), 3)
  assert.equal(growth(from, waiting, 'tenantry_message_attempts_total', attempts('queued')), 2)
  jammed = false
  service.clock.advance(60_000)
  await delivery.drain()
  const sent = await scrape(service)
  assert.equal(sent.value('tenantry_outbox_messages', '{state="queued"}'), 0)
  assert.equal(growth(from, sent, 'tenantry_message_attempts_total', attempts('sent')), 1)
  assert.equal(growth(from, sent, 'tenantry_message_attempts_total', attempts('failed')), 0)
})

test('counts refusals of limits and budgets by name, and requests through an unnamed proxy', async () => {
  const tenant = await service.addTenant()
  const { client } = tenant
  const { signIn } = await addPerson(service, tenant)
  const from = await scrape(service)
  const ask = () => client.getOtpStatus({ id: 'x', scope: 'otp_signin' })
  await refused(ask(), 'OTP_NOT_FOUND')
  await refused(ask(), 'TOO_MANY_REQUESTS')
  await refused(signIn('wrong once'), 'INVALID_CREDENTIALS')
  await refused(signIn('wrong again'), 'TOO_MANY_REQUESTS')
  const recipient = { scope: 'otp_signin', email: 'guessed@example.com' } as const
  const { id } = await client.issueOtp(recipient)
  for (const code of ['1', '2', '3'])
    await refused(client.verifyOtp({ id, scope: 'otp_signin', code }), 'OTP_INVALID_CODE')
  await refused(client.issueOtp(recipient), 'TOO_MANY_REQUESTS')
  await client.getTenantConfiguration(undefined, { headers: { 'x-forwarded-for': '203.0.113.1' } })
  await client.getTenantConfiguration(undefined, { headers: { 'x-forwarded-for': '203.0.113.1' } })
  const to = await scrape(service)
  const limited = [...to.labels('tenantry_limited_total', 'limit')].map(
    (limit) => [limit, growth(from, to, 'tenantry_limited_total', `{limit="${limit}"}`)] as const,
  )
  assert.ok(limited.length > 10, 'limits without refusals are listed too')
  const refusing = limited.filter(([, times]) => times > 0)
  assert.deepEqual(Object.fromEntries(refusing), { status: 1, 'failed-passwords': 1, 'wrong-codes-per-network': 1 })
  assert.equal(growth(from, to, 'tenantry_unnamed_proxy_total'), 2)
})

test('counts unexpected errors, also in the middle of an answer, and continues (threat G17)', async () => {
  const tenant = await service.addTenant()
  // An export reads 50 at a time.
  for (let n = 0; n < 60; n++) await service.admin.createUser(tenant, { email: `${n}@example.com` })
  const errors = 'tenantry_internal_errors_total'
  const authorization = `Bearer ${service.adminKey}`
  const get = (path: string) => fetch(service.baseUrl + path, { headers: { authorization } })
  const from = await scrape(service)
  isBroken = (name) => name === 'otp.find'
  await refused(tenant.client.verifyOtp({ id: 'x', scope: 'otp_signin', code: '1' }), 'INTERNAL_SERVER')
  const labels = '{operation="verify",scope="otp_signin",outcome="INTERNAL_SERVER"}'
  const refusedOne = await scrape(service)
  assert.equal(growth(from, refusedOne, 'tenantry_otp_total', labels), 1)
  assert.equal(growth(from, refusedOne, errors), 1)

  let found = 0
  isBroken = (name) => name === 'profile.listBetween' && ++found > 1
  const lines = await (await get(`/admin/tenants/${tenant.tenantId}/users/export`)).text().catch(String)
  assert.match(lines, /"code":"INTERNAL_SERVER"|terminated/)
  assert.equal(growth(from, await scrape(service), errors), 2)

  isBroken = (name) => name === 'inbox.after'
  assert.equal(await (await get('/admin/testing-channel/stream')).text(), ': open\nretry: 1000\n\n')
  isBroken = () => false
  assert.equal(growth(from, await scrape(service), errors), 3)
  await tenant.client.getTenantConfiguration()
})

test('reports password hashes, writes, database, version and process', async () => {
  const hasher = createPasswordHasher({ passes: 4, concurrency: 1 })
  await using slow = await startTestService({ hasher })
  const { client } = await slow.addTenant()
  const from = await scrape(slow)
  const done = Promise.all(Array.from({ length: 5 }, (_, i) => hasher.hash(`password ${i}`, { tenantId: 'any' })))
  const busy = await scrape(slow)
  assert.equal(busy.value('tenantry_password_hash_active'), 1)
  assert.ok(busy.value('tenantry_password_hash_queue')! >= 1)
  await done
  await refused(client.signIn({ method: 'password', email: 'a@example.com', password: 'x' }), 'INVALID_CREDENTIALS')
  const to = await scrape(slow)
  assert.equal(to.value('tenantry_password_hash_active'), 0)
  assert.equal(to.value('tenantry_password_hash_queue'), 0)
  assert.equal(growth(from, to, 'tenantry_password_hash_total', '{kind="hash"}'), 5)
  assert.equal(growth(from, to, 'tenantry_password_hash_total', '{kind="verify"}'), 1)
  assert.equal(to.value('tenantry_database_up'), 1)
  assert.equal(to.value('tenantry_database_waiting'), 0)
  assert.ok(!to.names.has('tenantry_limiter_shared'), 'present without Valkey')
  const engine = onPostgres ? 'postgres' : 'sqlite'
  assert.equal(to.value('tenantry_build_info', `{version="${version}",engine="${engine}"}`), 1)
  if (!onPostgres) {
    await slow.addTenant()
    const later = await scrape(slow)
    const [writes, commits] = ['writes', 'commits'].map((what) => growth(to, later, `tenantry_database_${what}_total`))
    assert.ok(commits! > 0 && writes! >= commits!, `${writes} writes in ${commits} commits`)
  }
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    assert.ok(to.names.has(name), name)
})

test('counts providers with an open circuit by method', async () => {
  const gone = deploymentSmtp({ port: await freePort() })
  await using sending = await startSendingService([gone])
  const { client } = await sending.addTenant()
  const alone = async () => (await scrape(sending)).value('tenantry_senders_left_alone', '{method="email"}')
  assert.equal(await alone(), 0)
  for (let i = 0; i < 5; i++) await client.issueOtp({ scope: 'otp_signin', email: `${i}@example.com` })
  await drain(sending)
  assert.equal(await alone(), 1)
  assert.equal((await scrape(sending)).value('tenantry_senders_left_alone', '{method="sms"}'), 0)
})

test('separates two services in one process', async () => {
  await using other = await startTestService()
  const [before, theirs] = [await scrape(service), await scrape(other)]
  for (let i = 0; i < 3; i++) await request(other, 'GET /healthz')
  const health = '{operation="getLiveness",code="OK"}'
  assert.equal(growth(theirs, await scrape(other), `${answers}_count`, health), 3)
  assert.equal((await scrape(service)).value(`${answers}_count`, health), before.value(`${answers}_count`, health))
})
