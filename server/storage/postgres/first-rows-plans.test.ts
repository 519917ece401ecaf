import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf, plansOf } from './query-plans.testkit.ts'

/** So many that reading all of them takes longer than finding a batch by its keys. */
const rows = 100_000
const id = "LPAD(CAST(n AS TEXT), 26, '0')"
const tables: Readonly<Record<string, string>> = {
  outbox: `(tenant_id, id, kind, delivery_method, recipient, decoy, state, attempts, due_at, created_at, expires_at)
    SELECT 'T', ${id}, 'password_changed', 'email', 'ada@example.com', 0,
      CASE WHEN n % 1000 = 0 THEN 'queued' ELSE 'sent' END, 1, CASE WHEN n % 1000 = 0 THEN n END, n, n`,
  otps: `(tenant_id, id, scope, state, decoy, delivery_method, recipient, resend_interval_seconds, max_resends,
      max_verify_attempts, resend_count, wrong_codes, created_at, expires_at, last_sent_at)
    SELECT 'T', ${id}, 'otp_signin', 'consumed', 0, 'email', 'ada@example.com', 60, 3, 5, 0, 0, n, n, n`,
  sessions: `(tenant_id, id, user_id, refresh_hash, address, created_at, last_used_at, idle_expires_at, expires_at, amr)
    SELECT 'T', ${id}, ${id}, ${id}, '', n, n, n, n, '[]'`,
  profile_unique: `(tenant_id, field, value_hash, user_id) SELECT 'T', 'name', ${id}, ${id}`,
  profile_search: `(tenant_id, field, value, user_id) SELECT 'T', 'name', ${id}, ${id}`,
  limit_logs: `(id, revision, times, expires_at) SELECT ${id}, '', '', n`,
}

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  for (const [table, values] of Object.entries(tables))
    await postgres.execute(`INSERT INTO ${table} ${values} FROM generate_series(1, ${rows}) AS n`)
  await postgres.execute('VACUUM ANALYZE')
})
after(() => postgres.close())

const changing: Readonly<Record<string, (string | number)[]>> = {
  'postgres.outbox.claim': [rows, 'owner', rows, 200, '||'],
  'purge.outbox': [rows, 500],
  'purge.otps': [rows, 500],
  'purge.sessions': [rows, 500],
  'limitLog.purge': [rows, 500],
  'erase.outbox': ['T', 500],
  'erase.otps': ['T', 500],
  'erase.sessions': ['T', 500],
  'erase.profile_search': ['T', 500],
  'profileIndex.removeUniqueField': ['T', 'name', 500],
  'profileIndex.removeSearchField': ['T', 'name', 500],
}
for (const [name, parameters] of Object.entries(changing)) {
  test(`${name} finds its rows by keys, without reading the whole table`, async () => {
    const generic = (await plansOf(postgres, name, parameters)).at(-1)!
    const scanned = nodesOf(generic).filter((node) => node['Node Type'].includes('Seq Scan'))
    assert.deepEqual(scanned, [], JSON.stringify(generic))
  })
}
