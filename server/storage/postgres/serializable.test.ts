import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { deliveryTests } from '../suite/delivery.testkit.ts'
import { limitTests } from '../suite/limit.testkit.ts'
import { otpTests } from '../suite/otp.testkit.ts'
import { profileTests } from '../suite/profile.testkit.ts'
import { atOnce, newTenant } from '../suite/samples.testkit.ts'
import { sessionTests } from '../suite/session.testkit.ts'
import { smsSpendingTests } from '../suite/sms-spending.testkit.ts'
import { transactionTests } from '../suite/transaction.testkit.ts'
import { usedIdTokenTests } from '../suite/used-id-token.testkit.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  const database = new URL(postgres.url).pathname.slice(1)
  await postgres.execute(`ALTER DATABASE ${database} SET default_transaction_isolation = serializable`)
})
after(() => postgres.close())

const open = () => postgres.openShared()
const connections = 8

/** The parts of the suite with concurrent transactions must have the same outcomes under SERIALIZABLE (threat D20). */
describe('storage on PostgreSQL, every transaction SERIALIZABLE', () => {
  describe('one-time passwords', () => otpTests(open))
  describe('used ID tokens', () => usedIdTokenTests(open))
  describe('sessions', () => sessionTests(open))
  describe('profiles', () => profileTests(open))
  describe('delivery', () => deliveryTests(open))
  describe('SMS budgets', () => smsSpendingTests(open))
  describe('limits', () => limitTests(open))
  describe('transactions', () => transactionTests(open))
})

test('conflicting transactions fail (40001) and are retried until all succeed', async () => {
  let statements = 0
  const onStatement = (name: string) => {
    if (name === 'smsSpending.spend') statements++
  }
  const { storage, close } = await postgres.open({ connections, hooks: { onStatement } })
  const { smsSpending } = await newTenant(storage)
  assert.equal(await smsSpending.spend('2026-01-15', 30), true)
  // While this transaction locks the row, one starts on every connection. When it commits, each of them must fail.
  await postgres.execute('BEGIN; UPDATE sms_spending SET sent = sent')
  const spending = atOnce(40, () => smsSpending.spend('2026-01-15', 30))
  await postgres.untilBlocked(connections)
  await postgres.execute('COMMIT')
  assert.equal((await spending).filter(Boolean).length, 29)
  assert.ok(statements >= 41 + connections, `${statements} attempts`)
  await close()
})

test('after a deadlock (40P01) one transaction is retried and both succeed', async () => {
  const { storage, close } = await postgres.open()
  const tenant = await newTenant(storage)
  const { promise: bothStarted, resolve } = Promise.withResolvers<void>()
  let started = 0
  let attempts = 0
  const spendBoth = (first: string, second: string) =>
    tenant.write(async (tx) => {
      attempts++
      await tx.smsSpending.spend(first, 10)
      if (++started === 2) resolve()
      await bothStarted
      await tx.smsSpending.spend(second, 10)
    })
  await Promise.all([tenant.smsSpending.spend('a', 10), tenant.smsSpending.spend('b', 10)])
  await Promise.all([spendBoth('a', 'b'), spendBoth('b', 'a')])
  assert.ok(attempts > 2)
  const rows = await postgres.execute('SELECT day, sent FROM sms_spending ORDER BY day')
  assert.deepEqual(rows, [
    { day: 'a', sent: 3 },
    { day: 'b', sent: 3 },
  ])
  await close()
})

test('a transaction that waits too long for a row lock fails with 503 and changes nothing', async () => {
  const { storage, close } = await postgres.open({ responseTimeoutMs: 500 })
  const tenant = await newTenant(storage)
  await tenant.smsSpending.spend('a', 10)
  await postgres.execute('BEGIN; UPDATE sms_spending SET sent = 5')
  const startedAt = performance.now()
  await assert.rejects(tenant.smsSpending.spend('a', 10), { code: 'SERVICE_UNAVAILABLE' })
  assert.ok(performance.now() - startedAt < 5_000, 'it is not retried')
  await postgres.execute('ROLLBACK')
  assert.deepEqual(await postgres.execute('SELECT sent FROM sms_spending'), [{ sent: 1 }])
  await close()
})
