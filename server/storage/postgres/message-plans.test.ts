import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf, plansOf } from './query-plans.testkit.ts'

const tenantId = 'tenant'
let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  await postgres.execute(
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, profile_schema_version, created_at, updated_at)
     VALUES ('${tenantId}', 'Seed', 0, '[]', 1, '1', 0, 0)`,
  )
  // Of 20,000 messages, one in a hundred failed and one in a thousand waits.
  await postgres.execute(
    `INSERT INTO outbox (tenant_id, id, kind, delivery_method, recipient, decoy, state, attempts, due_at, created_at, expires_at)
     SELECT '${tenantId}', LPAD(CAST(n AS TEXT), 26, '0'), 'password_changed', 'email', 'ada@example.com', 0,
       CASE WHEN n % 1000 = 0 THEN 'queued' WHEN n % 100 = 1 THEN 'failed' ELSE 'sent' END, 1,
       CASE WHEN n % 1000 = 0 THEN n END, n, n FROM generate_series(1, 20000) AS n`,
  )
  await postgres.execute('VACUUM ANALYZE')
})
after(() => postgres.close())

test('counts waiting and failed messages in their small indexes, without reading sent ones', async () => {
  const counts = {
    outbox_waiting: await plansOf(postgres, 'message.countWaiting', [tenantId, 20_000]),
    outbox_unsent: await plansOf(postgres, 'message.countFailed', [tenantId, '0', 20_000]),
  }
  for (const [index, plans] of Object.entries(counts)) {
    for (const plan of plans) {
      const reading = nodesOf(plan).filter((node) => 'Relation Name' in node || 'Index Name' in node)
      assert.deepEqual(
        new Set(reading.map((node) => node['Index Name'] ?? index)),
        new Set([index]),
        JSON.stringify(plan),
      )
      assert.ok(
        reading.every((node) => node['Node Type'] !== 'Seq Scan'),
        JSON.stringify(plan),
      )
    }
  }
})
