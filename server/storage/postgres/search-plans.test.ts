import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tenantId } from '../../../bench/generated-rows.ts'
import { indexKeys, searchRows } from '../../../bench/search-rows.ts'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf, plansOf } from './query-plans.testkit.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  for (const sql of searchRows(20_000)('postgres')) await postgres.execute(sql)
  await postgres.execute('VACUUM ANALYZE')
})
after(() => postgres.close())

const keyOf = (field: string): string => indexKeys[field]!
const city = [keyOf('city'), 'city 1', '', 'city 1', '~'] as const
const prefix = [keyOf('name'), 'b', '', 'c', ''] as const
const none = ['', '', ''] as const
const plan = [keyOf('plan'), 'pro', 'pro\u0001'] as const

test('a search reads the index in order: it scans and sorts nothing', async () => {
  for (const [first, second] of [
    [city, none],
    [prefix, none],
    [city, plan],
    [prefix, plan],
  ] as const) {
    for (const found of await plansOf(postgres, 'profileSearch.list', [
      tenantId,
      ...first,
      '',
      '~',
      ...second,
      ...none,
      51,
    ])) {
      // The database has no identities, and an empty table is scanned.
      const nodes = nodesOf(found).filter((node) => node['Relation Name'] !== 'identities')
      const text = JSON.stringify(found)
      assert.deepEqual(
        nodes.filter((node) => /Seq Scan|Sort|Hash|Bitmap/.test(node['Node Type'])),
        [],
        text,
      )
      assert.ok(
        nodes.some((node) => node['Index Name'] === 'profile_search_pkey'),
        text,
      )
    }
  }
})

test('looking up one user’s value reads one entry', async () => {
  const plans = [
    ...(await plansOf(postgres, 'profileSearch.holds', [tenantId, '01SEED00000000000000000001', ...plan])),
    ...(await plansOf(postgres, 'profileSearch.position', [tenantId, ...prefix, 2_000])),
  ]
  for (const found of plans) {
    const nodes = nodesOf(found).filter((node) => node['Node Type'] !== 'Limit')
    assert.deepEqual(
      nodes.map((node) => node['Node Type']),
      ['Index Only Scan'],
      JSON.stringify(found),
    )
  }
})
