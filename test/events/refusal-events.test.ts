import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LimitedCall } from '../../server/events/exceeded-limits.ts'
import { parseTenantKey } from '../../server/tenants/tenant-key.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import { newEmail } from '../support/sign-in-methods.ts'
import { type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
/** How many more events are added before adding one fails. */
let addable = Number.POSITIVE_INFINITY
before(async () => {
  recorded = await startRecordedService({
    limitsText: 'all=off,verify=2/h,codes-per-recipient=1/h',
    hooks: {
      onStatement(name) {
        if (name === 'event.add' && addable-- <= 0) throw new Error('the database failed')
      },
    },
  })
})
after(() => recorded[Symbol.asyncDispose]())

const wrong = { method: 'password', email: 'unknown@example.com', password: 'wrong password' } as const
const round = () => recorded.service.service.services.housekeeping.run()

test('records 100 refused attempts of one second, and counts the others once a minute (threat L09)', async () => {
  const { client, events } = await recorded.open({ detail: 'all' })
  const { clock } = recorded.service
  clock.advance(1_000 - (clock.now() % 1_000))
  for (let at = 0; at < 6; at++) await Promise.allSettled(Array.from({ length: 20 }, () => client.signIn(wrong)))
  const first = events.next()
  assert.equal(first.length, 100)
  assert.equal(new Set(first).size, 1)
  clock.advance(1_000)
  await assert.rejects(client.signIn(wrong))
  assert.equal(events.next().length, 1)
  await round()
  const exceeded =
    'limit.exceeded [TOO_MANY_REQUESTS] by tenantKey key about address {"operation":"signIn","refused":20}'
  assert.deepEqual(events.next(), [exceeded])
  await round()
  assert.deepEqual(events.next(), [])
})

test('counts the requests that a limit refuses, for each operation, only with detail "all"', async () => {
  for (const detail of ['all', 'security'] as const) {
    const { client, events, tenant } = await recorded.open({ detail })
    const scope = 'otp_signin' as const
    const email = newEmail()
    recorded.service.clock.advance(3_600_000)
    await client.issueOtp({ scope, email })
    for (let at = 0; at < 2; at++) await assert.rejects(client.issueOtp({ scope, email }), { status: 429 })
    for (let at = 0; at < 2; at++)
      await assert.rejects(client.verifyOtp({ id: 'x', scope, code: 'x' }), { status: 404 })
    for (let at = 0; at < 3; at++)
      await assert.rejects(client.verifyOtp({ id: 'x', scope, code: 'x' }), { status: 429 })
    events.next()
    // A key that is not the tenant's is not recorded in its log.
    const forged = { 'x-tenant-key': `${tenant.key.slice(0, -12)}${'0'.repeat(12)}` }
    await fetch(`${recorded.service.baseUrl}/otp/verify`, { method: 'POST', headers: forged })
    await round()
    const by = 'by tenantKey key about address'
    const expected = [
      `limit.exceeded [TOO_MANY_REQUESTS] ${by} {"operation":"issueOtp","refused":2}`,
      `limit.exceeded [TOO_MANY_REQUESTS] ${by} {"operation":"verifyOtp","refused":3}`,
    ]
    assert.deepEqual(events.next(), detail === 'all' ? expected : [])
  }
})

test('records no refused sign-in when a limit or the configuration refuses', async () => {
  await using limited = await startRecordedService({ limitsText: 'all=off,failed-passwords=1/h' })
  const { client, events } = await limited.open({ detail: 'all' })
  await assert.rejects(client.signIn(wrong), { status: 401 })
  assert.equal(events.next().length, 1)
  await assert.rejects(client.signIn(wrong), { status: 429 })
  await assert.rejects(client.signIn({ method: 'facebook', idToken: 'x' }), { code: 'TENANT_NOT_CONFIGURED' })
  await limited.service.service.services.housekeeping.run()
  assert.deepEqual(events.next(), [
    'limit.exceeded [TOO_MANY_REQUESTS] by tenantKey key about address {"operation":"signIn","refused":1}',
  ])
})

test('keeps the numbers that could not be recorded for the next time', async () => {
  const { client, events } = await recorded.open({ detail: 'all' })
  recorded.service.clock.advance(3_600_000)
  const verify = () => client.verifyOtp({ id: 'x', scope: 'otp_signin', code: 'x' })
  const issue = () => client.issueOtp({ scope: 'otp_signin', email: 'refused@example.com' })
  await issue()
  await assert.rejects(issue(), { status: 429 })
  for (let at = 0; at < 2; at++) await assert.rejects(verify(), { status: 404 })
  await assert.rejects(verify(), { status: 429 })
  events.next()
  addable = 1
  await round()
  addable = Number.POSITIVE_INFINITY
  const by = 'by tenantKey key about address'
  assert.deepEqual(events.next(), [`limit.exceeded [TOO_MANY_REQUESTS] ${by} {"operation":"issueOtp","refused":1}`])
  await assert.rejects(verify(), { status: 429 })
  await round()
  assert.deepEqual(events.next(), [`limit.exceeded [TOO_MANY_REQUESTS] ${by} {"operation":"verifyOtp","refused":2}`])
})

test('counts the refusals of more than 1,000 addresses a minute together, without a network', async () => {
  const { tenant } = await recorded.open({ detail: 'all' })
  const { clock, database, service } = recorded.service
  const { tenantId } = tenant
  const { exceededLimits, snapshots, storage } = service.services
  const caller = await storage.callerRecord(parseTenantKey(tenant.key)!.id, null)
  const { key, tenant: stored } = caller!
  const snapshot = await snapshots.of(stored)
  const callFrom = (address: string): LimitedCall => ({
    ...{ now: clock.now(), requestId: 'a', key, snapshot, tenantId, address, userAgent: 'curl/8.0' },
  })
  const networks = Array.from({ length: 1_003 }, (_, at) => `10.${at >> 8}.${at & 255}`)
  for (const network of networks) exceededLimits.note(callFrom(`${network}.1`), 'verifyOtp')
  exceededLimits.note(callFrom('10.0.0.1'), 'verifyOtp')
  exceededLimits.note(callFrom('10.9.9.1'), 'signIn')
  const find = () => assert.fail('looked up a tenant beyond the 1,000')
  exceededLimits.noteUnknown({ address: '10.9.9.1', key: key.id, find }, 'verifyOtp')
  await round()
  const counted = eventRows(database)
    .filter(({ log, row }) => log === tenantId && row['type'] === 'limit.exceeded')
    .map(({ public: { details }, personal: { salt: _salt, ...where } }) => ({ ...details, ...where }))
  const alone = counted.filter(({ network }) => network !== undefined)
  assert.equal(new Set(alone.map(({ network }) => network)).size, 1_000)
  assert.deepEqual(
    alone.filter(({ refused }) => refused !== 1).map(({ network, refused }) => [network, refused]),
    [['10.0.0.0/24', 2]],
  )
  const together = counted.filter((each) => !alone.includes(each))
  assert.deepEqual(together.map((each) => JSON.stringify(each)).sort(), [
    '{"operation":"signIn","refused":1}',
    '{"operation":"verifyOtp","refused":3}',
  ])
})
