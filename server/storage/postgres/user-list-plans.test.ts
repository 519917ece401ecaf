import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tenantId } from '../../../bench/generated-rows.ts'
import { userRows } from '../../../bench/user-rows.ts'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf, plansOf } from './query-plans.testkit.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  for (const sql of userRows(20_000)('postgres')) await postgres.execute(sql)
  await postgres.execute('VACUUM ANALYZE')
})
after(() => postgres.close())

const ids = [tenantId, '', '~', 51]
const range = [tenantId, 'user1', 'user2', 51]

test('each list of users reads one index in order: it scans and sorts nothing', async () => {
  const expected: Record<string, [index: string, parameters: (string | number)[]]> = {
    list: ['users_pkey', ids],
    listSuspended: ['users_suspended', ids],
    listRestricted: ['users_restricted', ids],
    listGuests: ['users_guests', ids],
    listUnverified: ['users_unverified', ids],
    searchByEmail: ['users_tenant_id_email_key', [...range, 'guest']],
    searchByPhone: ['users_tenant_id_phone_key', [...range, '']],
    placeByEmail: ['users_tenant_id_email_key', range],
    placeByPhone: ['users_tenant_id_phone_key', range],
  }
  for (const state of ['', 'Suspended', 'Restricted', 'Guests', 'Unverified'])
    expected[`listNewest${state}`] = expected[`list${state}`]!
  // A small index is read into a bitmap in any case.
  await postgres.execute('SET enable_bitmapscan = off')
  for (const [name, [index, parameters]] of Object.entries(expected)) {
    for (const plan of await plansOf(postgres, `user.${name}`, parameters)) {
      // The database has no identities, and an empty table is scanned.
      const nodes = nodesOf(plan).filter((node) => node['Relation Name'] !== 'identities')
      const text = `${name}: ${JSON.stringify(plan)}`
      assert.deepEqual(
        nodes.filter((node) => /Seq Scan|Sort|Hash|Bitmap|Gather/.test(node['Node Type'])),
        [],
        text,
      )
      const used = nodes.flatMap((node) => node['Index Name'] ?? [])
      assert.deepEqual(used, [index], text)
    }
  }
})
