import type { StoredProfileSchema } from '../contract/profile-schema.ts'
import { indexKeysOf } from '../server/profiles/index/index-keys.ts'
import { sortableNumber } from '../server/profiles/index/index-values.ts'
import { createdAt, emptySchema, generatedId, numbers, type Rows, tenantId } from './generated-rows.ts'

/** Each city has one in a thousand users. */
export const cities = 1_000
export const [youngest, oldest] = [18, 97] as const

const components: StoredProfileSchema['components'] = [
  { name: 'city', type: 'text', searchable: true },
  { name: 'name', type: 'text', searchable: true },
  { name: 'age', type: 'integer', searchable: true },
  { name: 'plan', type: 'text', searchable: true },
]
const schema: StoredProfileSchema = { ...emptySchema, version: '2', components }
const empty = { ordinal: 1, schema: emptySchema, publishedAt: createdAt, publishedBy: null }
/** The fields' names in the index, as the service gives them to the second version of a tenant. */
export const indexKeys = indexKeysOf(schema, 2, empty)!

/** Spreads consecutive numbers over all values, so that users with close values are far from each other. */
const spread = (factor: number, count: number) => `((i * ${factor}) % ${count})`

/** One tenant and users with a city, a name of six letters, an age and a plan. */
export const searchRows =
  (users: number): Rows =>
  (engine) => {
    const eachUser = numbers(engine, 0, users - 1)
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
    const userId = generatedId(engine, 'SEED', 'i')
    return [
      `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
     VALUES ('${tenantId}', 'Search', 0, '[]', 1, '{}', '2', ${createdAt}, ${createdAt})`,
      `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, index_keys, published_at)
     VALUES ('${tenantId}', '2', 2, '${JSON.stringify(schema)}', '${JSON.stringify(indexKeys)}', ${createdAt})`,
      `INSERT INTO users (tenant_id, id, email, guest, restricted_capabilities, created_at, updated_at, last_active_at)
     SELECT '${tenantId}', ${userId}, 'user' || i || '@example.com', 0, '[]', ${createdAt}, ${createdAt}, ${createdAt} FROM ${eachUser}`,
      // Sorted entries fill an index ten times faster.
      'DROP INDEX profile_search_of_user',
      ...Object.entries(values).map(
        ([field, value]) =>
          `INSERT INTO profile_search (tenant_id, field, value, user_id)
         SELECT '${tenantId}', '${indexKeys[field]}', ${value}, ${userId} FROM ${eachUser} ORDER BY 3, 4`,
      ),
      'CREATE INDEX profile_search_of_user ON profile_search (tenant_id, user_id, field, value)',
    ]
  }
