import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { TestDatabase } from '../../support/databases/test-database.ts'
import { startTestService } from '../../support/service.ts'

/** The tenant of the campaign, where its data is, and the users. */
export interface Site {
  readonly database: TestDatabase
  readonly tenantId: string
  readonly userIds: readonly string[]
}

/** The value of every user's field `nick`. */
export const nicksOf = ({ database, tenantId }: Site): Map<string, string> =>
  new Map(
    database
      .ask('SELECT user_id, content FROM profiles WHERE tenant_id = ?', tenantId)
      .map((row) => [String(row['user_id']), JSON.parse(String(row['content'])).nick]),
  )

/** Whether a version is being built. */
export const isBuilding = ({ database, tenantId }: Site): boolean =>
  database.ask('SELECT building_version FROM tenants WHERE id = ?', tenantId)[0]!['building_version'] !== null

/**
 * The newest version is either current, with exactly the stored values in the index, or failed, with the users that have
 * equal values.
 * @returns whether it is current
 */
export function checkIndex(site: Site): boolean {
  const { database, tenantId } = site
  const [tenant] = database.ask('SELECT profile_schema_version, building_version FROM tenants WHERE id = ?', tenantId)
  const [newest] = database.ask(
    'SELECT version, state, index_keys, conflicts FROM profile_schemas WHERE tenant_id = ? ORDER BY ordinal DESC LIMIT 1',
    tenantId,
  )
  const isCurrent = newest!['state'] === null
  assert.deepEqual(
    [tenant!['building_version'], tenant!['profile_schema_version'] === newest!['version']],
    [null, isCurrent],
    'a version is half current',
  )
  if (!isCurrent) {
    assert.equal(newest!['state'], 'failed')
    assert.notDeepEqual(JSON.parse(String(newest!['conflicts'])), [])
    return false
  }
  const key = JSON.parse(String(newest!['index_keys'])).nick
  const [schema] = database.ask(
    'SELECT content FROM profile_schemas WHERE tenant_id = ? AND version = ?',
    tenantId,
    newest!['version']!,
  )
  const { searchable } = JSON.parse(String(schema!['content'])).components[0]
  const values = [...nicksOf(site)].map(([userId, value]) => [value.toLowerCase(), userId] as const)
  assert.equal(new Set(values.map(([value]) => value)).size, values.length, 'a value was claimed twice')
  const entries = (table: string, column: string) =>
    database
      .ask(`SELECT ${column} AS value, user_id FROM ${table} WHERE tenant_id = ? AND field = ?`, tenantId, key)
      .map((row) => `${row['value']} ${row['user_id']}`)
      .sort()
  const claims = values.map(([value, userId]) => `${hash('sha256', value, 'base64url')} ${userId}`)
  assert.deepEqual(entries('profile_unique', 'value_hash'), claims.sort(), 'unique entries are not the values')
  const found = searchable === true ? values.map((pair) => pair.join(' ')) : []
  assert.deepEqual(entries('profile_search', 'value'), found.sort(), 'search entries are not the values')
  return true
}

/** Housekeeping removes the entries of versions that failed and of earlier ones. */
export async function checkLeftovers({ database, tenantId }: Site, masterKeys: string): Promise<void> {
  await using service = await startTestService({ database, masterKeys })
  await service.service.services.schemaBuilds.run()
  const [current] = database.ask(
    `SELECT index_keys FROM profile_schemas WHERE tenant_id = ? AND version =
       (SELECT profile_schema_version FROM tenants WHERE id = ?)`,
    tenantId,
    tenantId,
  )
  const key = JSON.parse(String(current!['index_keys'] ?? '{}'))?.nick ?? ''
  for (const table of ['profile_unique', 'profile_search']) {
    assert.deepEqual(database.ask(`SELECT field FROM ${table} WHERE tenant_id = ? AND field <> ?`, tenantId, key), [])
  }
}
