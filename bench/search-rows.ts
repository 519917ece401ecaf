import type { StoredProfileSchema } from '../contract/profile-schema.ts'
import { indexKeysOf } from '../server/profiles/index/index-keys.ts'
import { sortableNumber } from '../server/profiles/index/index-values.ts'
import { tenantId } from './user-rows.ts'

/** Each city has one in a thousand users. */
export const cities = 1_000
export const [youngest, oldest] = [18, 97] as const

const components: StoredProfileSchema['components'] = [
  { name: 'city', type: 'text', searchable: true },
  { name: 'name', type: 'text', searchable: true },
  { name: 'age', type: 'integer', searchable: true },
  { name: 'plan', type: 'text', searchable: true },
]
const schema: StoredProfileSchema = { version: '2', components, presentation: [], forms: {}, migrations: [] }
const then = 1_767_225_600_000
const empty = { ordinal: 1, schema: { ...schema, components: [] }, publishedAt: then, publishedBy: null }
/** The fields' names in the index, as the service gives them to the second version of a tenant. */
export const indexKeys = indexKeysOf(schema, 2, empty)!

/** Spreads consecutive numbers over all values, so that users with close values are far from each other. */
const spread = (factor: number, count: number) => `((i * ${factor}) % ${count})`

/** SQL that fills an empty database with one tenant and users with a city, a name of six letters, an age and a plan. */
export function searchRows(engine: 'sqlite' | 'postgres', users: number): string[] {
  const numbers =
    engine === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${users}) SELECT i FROM n) AS n`
      : `(SELECT CAST(generate_series(0, ${users - 1}) AS BIGINT) AS i) AS n`
  const padded = engine === 'sqlite' ? `printf('%020d', i)` : `lpad(CAST(i AS TEXT), 20, '0')`
  const character = engine === 'sqlite' ? 'char' : 'chr'
  const letters = [1, 26, 676, 17_576, 456_976, 11_881_376].map(
    (place) => `${character}(CAST(97 + (${spread(123_456_791, 308_915_776)} / ${place}) % 26 AS INTEGER))`,
  )
  const ages = Array.from({ length: oldest - youngest + 1 }, (_, index) => {
    return `WHEN ${index} THEN '${sortableNumber(youngest + index)}'`
  })
  const values = {
    city: `'city ' || ${spread(7_919, cities)}`,
    name: letters.reverse().join(' || '),
    age: `CASE ((i / ${cities}) * 37) % ${ages.length} ${ages.join(' ')} END`,
    plan: `CASE WHEN (i / 3) % 2 = 0 THEN 'pro' ELSE 'free' END`,
  }
  const userId = `'01SEED' || ${padded}`
  return [
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
     VALUES ('${tenantId}', 'Search', 0, '[]', 1, '{}', '2', ${then}, ${then})`,
    `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, index_keys, published_at)
     VALUES ('${tenantId}', '2', 2, '${JSON.stringify(schema)}', '${JSON.stringify(indexKeys)}', ${then})`,
    `INSERT INTO users (tenant_id, id, email, guest, restricted_capabilities, created_at, updated_at, last_active_at)
     SELECT '${tenantId}', ${userId}, 'user' || i || '@example.com', 0, '[]', ${then}, ${then}, ${then} FROM ${numbers}`,
    // Sorted entries fill an index ten times faster.
    'DROP INDEX profile_search_of_user',
    ...Object.entries(values).map(
      ([field, value]) =>
        `INSERT INTO profile_search (tenant_id, field, value, user_id)
         SELECT '${tenantId}', '${indexKeys[field]}', ${value}, ${userId} FROM ${numbers} ORDER BY 3, 4`,
    ),
    'CREATE INDEX profile_search_of_user ON profile_search (tenant_id, user_id, field, value)',
  ]
}
