import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalRateLimiter } from '../../server/limits/local-rate-limiter.ts'
import type { ManagedRateLimiter } from '../../server/limits/rate-limiter.ts'
import { request } from '../support/http/raw-request.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const codesText = 'all=off,codes-per-network=10/h,codes-per-recipient=10/h'

/** Asserts that as many codes are left in the budget of the recipient. */
async function codesLeft({ client }: TestTenant, email: string, left: number): Promise<void> {
  const issue = () => client.issueOtp({ scope: 'otp_signin', email })
  for (let code = 0; code < left; code++) await issue()
  await refused(issue(), 'TOO_MANY_REQUESTS')
}

test('racing repeats take one code from the budget and send one (IDEMPOTENCY-4, IDEMPOTENCY-8)', async () => {
  const statements: string[] = []
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  await using limited = await startTestService({ limitsText: codesText, hooks })
  const own = await limited.addTenant()
  const [email, headers] = ['racing@example.com', { 'idempotency-key': 'race' }]
  const send = () => request(limited, 'POST /otp', { key: own.key, headers, body: { scope: 'otp_signin', email } })
  const answers = await Promise.all(Array.from({ length: 24 }, send))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size, 1)
  assert.equal(statements.filter((name) => name === 'idempotency.add').length, 1, 'the repeats waited')
  await codesLeft(own, email, 9)
})

test('a repeat in another process gives back the code that it took (IDEMPOTENCY-4, IDEMPOTENCY-8)', async () => {
  const [taken, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const limiter = createLocalRateLimiter()
  await using first = await startTestService({ limitsText: codesText, limiter })
  // It has looked the key up and taken a code when the first process acts.
  const slow: ManagedRateLimiter['take'] = async (name, ...rest) => {
    const verdict = limiter.take(name, ...rest)
    if (name === 'codes-per-recipient') {
      taken.resolve()
      await answered.promise
    }
    return verdict
  }
  const { database, masterKeys, clock } = first
  const shared = { database, masterKeys, clock, limitsText: codesText }
  await using other = await startTestService({ ...shared, limiter: { ...limiter, take: slow } })
  const own = await first.addTenant()
  const [email, headers] = ['elsewhere@example.com', { 'idempotency-key': 'race' }]
  const send = (to: TestService) =>
    request(to, 'POST /otp', { key: own.key, headers, body: { scope: 'otp_signin', email } })
  const repeat = send(other)
  await taken.promise
  const { status, body } = await send(first)
  answered.resolve()
  assert.equal(status, 201)
  assert.deepEqual((await repeat).body.data, body.data)
  await codesLeft(own, email, 9)
})
