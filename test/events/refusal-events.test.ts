import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
