import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTenantryClient, TenantryError } from '../../packages/client/src/index.ts'
import { followDatabaseTime } from '../../server/startup/database-time.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { startPostgres } from '../support/databases/postgres-server.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

const minute = 60_000
const scope = 'reset_password'
const quiet = { warn: () => {}, error: () => {} }

/** Starts a service on the database, on a machine whose clock is off by this much. */
async function startOn(url: string, offsetMs: number, before?: TestService): Promise<TestService> {
  const storage = await openPostgresStorage({ url })
  const wall = { now: () => Date.now() + offsetMs }
  const { clock, stop } = await followDatabaseTime(storage, quiet, { wall, elapsed: () => performance.now() })
  stop()
  return startTestService({ storage, clock, ...(before && { masterKeys: before.masterKeys }) })
}

const outcomeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: unknown) => (error instanceof TenantryError ? error.code : Promise.reject(error)),
  )

test('servers whose clocks differ by five minutes agree on resend intervals and expiry (threat G14)', async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  await using right = await startOn(url, 0)
  await using wrong = await startOn(url, 5 * minute, right)
  const tenant = await right.addTenant({ configuration: { otp: { ttlSeconds: 120, resendIntervalSeconds: 30 } } })
  const person = await addPerson(right, tenant)
  const { id } = await person.issue(scope)
  const code = await right.codeOf(id)
  const elsewhere = createTenantryClient({ baseUrl: wrong.baseUrl, tenantKey: tenant.key })
  /** Makes the code older by this much. */
  const age = (seconds: number) =>
    database.query(
      `UPDATE otps SET created_at = created_at - $1, last_sent_at = last_sent_at - $1, expires_at = expires_at - $1`,
      [seconds * 1000],
    )

  for (const { resendOtp } of [tenant.client, elsewhere]) {
    assert.equal(await outcomeOf(resendOtp({ id, scope })), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  }
  await age(31)
  assert.equal(await outcomeOf(elsewhere.resendOtp({ id, scope })), 'done')
  assert.equal(await outcomeOf(tenant.client.resendOtp({ id, scope })), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  const { expiresAt } = await elsewhere.getOtpStatus({ id, scope })
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 89_000) < 20_000)
  await age(120)
  for (const { verifyOtp } of [tenant.client, elsewhere]) {
    assert.equal(await outcomeOf(verifyOtp({ id, scope, code })), 'OTP_NOT_FOUND')
  }
  await database.end()
})
