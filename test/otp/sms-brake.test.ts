import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { createLocalRateLimiter } from '../../server/limits/local-rate-limiter.ts'
import type { ManagedRateLimiter } from '../../server/limits/rate-limiter.ts'
import { createStoredRateLimiter } from '../../server/limits/stored-rate-limiter.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { scrape } from '../support/http/scrape.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { atOnce } from '../support/sign-in-methods.ts'

const scope = 'otp_signin'
const HOUR = 3_600_000
const limitsText = 'all=off,sms-prefix-codes=20/h,sms-prefix-pause=1/h,sms-prefix-verified=10%'
let service: TestService
before(async () => {
  service = await startTestService({ limitsText })
})
after(() => service.close())

let numbers = 0
/** Another number of the prefix +33612. */
const french = () => `+33612${String(++numbers).padStart(6, '0')}`
const issue = ({ client }: Pick<TestTenant, 'client'>, phone = french()) => client.issueOtp({ scope, phone })

async function verify({ client }: TestTenant, id: string): Promise<void> {
  await client.verifyOtp({ id, scope, code: await service.codeOf(id) })
}

async function issueMany(tenant: TestTenant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let code = 0; code < count; code++) ids.push((await issue(tenant)).id)
  return ids
}

const pausesOf = async (of: TestService) => (await scrape(of)).value('tenantry_sms_prefix_pauses_total') ?? Number.NaN

test('rejects SMS codes to a prefix for an hour after too many unverified ones', async () => {
  const tenant = await service.addTenant()
  const before = await pausesOf(service)
  service.log.length = 0
  await issueMany(tenant, 20)
  const phone = french()
  await changesNothing(service, async () => {
    const { retryAfter } = await refused(issue(tenant, phone), 'TOO_MANY_REQUESTS')
    assert.equal(retryAfter, 3600)
    await refused(issue(tenant), 'TOO_MANY_REQUESTS')
  })
  assert.equal(await pausesOf(service), before + 1)
  assert.equal((await scrape(service)).value('tenantry_limited_total', '{limit="sms-prefix-pause"}'), 2)
  const lines = service.log.filter((line) => line.includes('SMS prefix paused'))
  assert.equal(lines.length, 1)
  const { tenantId, prefix, codes, verified } = JSON.parse(lines[0]!)
  assert.deepEqual([tenantId, prefix, codes, verified], [tenant.tenantId, '+33612', 20, 0])
  assert.doesNotMatch(lines[0]!, /\+33612\d/)

  await issue(tenant, '+33613000000')
  await issue(tenant, '+12025550123')
  await tenant.client.issueOtp({ scope, email: 'jane@example.com' })
  await issue(await service.addTenant())
  service.clock.advance(HOUR - 1)
  const { retryAfter } = await refused(issue(tenant), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 1)
  service.clock.advance(1)
  await issue(tenant)
})

test('counts and rejects codes for new phone numbers of signed-in users like sign-in codes', async () => {
  const tenant = await service.addTenant()
  const client = await (await addPerson(service, tenant)).client()
  for (let code = 0; code < 10; code++) await client.changePhone({ phone: french() })
  await issueMany(tenant, 10)
  await changesNothing(service, async () => {
    await refused(client.changePhone({ phone: french() }), 'TOO_MANY_REQUESTS')
    await refused(client.issueOtp({ scope: 'phone_verification' }), 'TOO_MANY_REQUESTS')
    await refused(issue(tenant), 'TOO_MANY_REQUESTS')
  })
  await client.issueOtp({ scope: 'email_verification' })
})

test('resends and verifies a code of a paused prefix that is already issued', async () => {
  const tenant = await service.addTenant()
  const [first = '', second = ''] = await issueMany(tenant, 20)
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id: first, scope })
  await verify(tenant, first)
  await tenant.client.signIn({ method: 'otp', token: first })
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
  // Two of twenty are a tenth: late verifications end the pause.
  await verify(tenant, second)
  await issue(tenant)
})

test('never pauses a prefix whose users verify their codes', async () => {
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const before = await pausesOf(service)
  for (let round = 0; round < 30; round++) {
    await issueMany(tenant, 4)
    const phone = french()
    const client = await person.client()
    const { id } = await client.changePhone({ phone })
    await client.verifyOtp({ id, scope: 'phone_verification', code: await service.codeOf(id) })
    service.clock.advance(30_000)
  }
  assert.equal(await pausesOf(service), before)
})

test('counts a verified code for an hour from its issue, like the code itself', async () => {
  const tenant = await service.addTenant()
  const [first = '', second = ''] = await issueMany(tenant, 2)
  service.clock.advance(540_000)
  await verify(tenant, first)
  await verify(tenant, second)
  service.clock.advance(HOUR - 540_000)
  await issueMany(tenant, 20)
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
})

test('does not count wrong codes and resends as verified', async () => {
  const tenant = await service.addTenant()
  const ids = await issueMany(tenant, 20)
  service.clock.advance(60_000)
  for (const id of ids.slice(0, 5)) {
    await refused(tenant.client.verifyOtp({ id, scope, code: 'wrong' }), 'OTP_INVALID_CODE')
    await tenant.client.resendOtp({ id, scope })
  }
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
})

test('counts a code once, however often it is verified', async () => {
  const tenant = await service.addTenant()
  const [id = ''] = await issueMany(tenant, 20)
  const code = await service.codeOf(id)
  await atOnce(10, () => tenant.client.verifyOtp({ id, scope, code }))
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
})

test('issues exactly 20 of 50 concurrent SMS codes of two processes on one database', async (t) => {
  const database = openTestDatabase()
  t.after(() => database.release())
  const masterKeys = generateMasterKeys(service.clock.now())
  const start = async () => {
    const storage = await database.open()
    const limiter = createStoredRateLimiter(storage.system.limitLogs)
    return startTestService({ limitsText, database, storage, limiter, masterKeys })
  }
  await using one = await start()
  await using two = await start()
  const { key } = await one.addTenant()
  const clients = [one, two].map(({ baseUrl }) => createTenantryClient({ baseUrl, tenantKey: key }))
  const answers = await atOnce(50, (code) => issue({ client: clients[code % 2]! }))
  const refusals = answers.filter((answer) => typeof answer === 'string')
  assert.deepEqual([refusals.length, new Set(refusals)], [30, new Set(['TOO_MANY_REQUESTS'])])
  assert.equal((await pausesOf(one)) + (await pausesOf(two)), 1)
})

test('counts no code that could not be stored', async () => {
  let isFull = true
  const onStatement = (name: string) => {
    if (isFull && /otp\.(add|issue)/.test(name)) throw new Error('disk full')
  }
  await using own = await startTestService({ limitsText, hooks: { onStatement } })
  const tenant = await own.addTenant()
  for (let code = 0; code < 20; code++) await refused(issue(tenant), 'INTERNAL_SERVER')
  isFull = false
  await issueMany(tenant, 20)
  await refused(issue(tenant), 'TOO_MANY_REQUESTS')
})

test('ignores codes by e-mail', async () => {
  const asked: string[] = []
  const local = createLocalRateLimiter()
  const limiter: ManagedRateLimiter = {
    ...local,
    take(name, ...rest) {
      asked.push(name)
      return local.take(name, ...rest)
    },
    peek(name, ...rest) {
      asked.push(name)
      return local.peek(name, ...rest)
    },
  }
  await using own = await startTestService({ limitsText, limiter })
  const { client } = await own.addTenant()
  const { id } = await client.issueOtp({ scope, email: 'jane@example.com' })
  await client.verifyOtp({ id, scope, code: await own.codeOf(id) })
  assert.deepEqual(asked, [])
  await client.issueOtp({ scope, phone: french() })
  assert.deepEqual(asked, ['sms-prefix-verified', 'sms-prefix-pause', 'sms-prefix-codes'])
})

test('pauses nothing where the deployment disabled the brake', async () => {
  await using own = await startTestService({ limitsText: limitsText.replace('20/h', 'off') })
  const tenant = await own.addTenant()
  await issueMany(tenant, 25)
})
