import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ProfileMigration, ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { ulid } from '../../server/core/ids.ts'
import { migrations } from '../../server/storage/migrations.ts'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { refused } from '../support/refused.ts'
import { startTestService } from '../support/service.ts'

/** The migrations of the previous version, before unique and searchable fields. */
const previousMigrations = migrations.filter(({ id }) => id <= '0013-idempotency-keys')

const now = Date.UTC(2026, 0, 15, 12)
const stored = (version: string, components: readonly object[], steps: readonly ProfileMigration[] = []) => ({
  version,
  components,
  presentation: [],
  forms: {},
  migrations: steps,
})
const rename = { rename: { from: 'nick', to: 'handle' } }
const versions = [
  stored('1', [{ name: 'nick', type: 'text' }]),
  stored('two', [{ name: 'handle', type: 'text' }], [rename]),
  stored('3', [
    { name: 'handle', type: 'text', required: true },
    { name: 'age', type: 'integer', rules: { min: 1 } },
  ]),
]
/** By the version that each was written under. */
const profiles = [
  ['1', { nick: 'Ann' }],
  ['two', { handle: 'Bea' }],
  ['3', { handle: 'Cleo', age: 30 }],
] as const

const onFile = testOnSqliteAlone('it writes a database file of the previous version')
onFile('opens profiles and schema versions of the previous version, and makes a field of them unique', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-upgrade-'))
  const path = join(folder, 'tenantry.db')
  await (await openSqliteStorage({ path, migrations: previousMigrations })).close()
  const tenantId = ulid(now)
  const userIds = profiles.map(() => ulid(now))
  {
    using database = new DatabaseSync(path)
    database
      .prepare(
        `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version,
           created_at, updated_at) VALUES (?, 'Before', 0, '[]', 3, '{}', '3', ?, ?)`,
      )
      .run(tenantId, now, now)
    const publish = database.prepare(
      'INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at) VALUES (?, ?, ?, ?, ?)',
    )
    for (const [index, one] of versions.entries())
      publish.run(tenantId, one.version, index + 1, JSON.stringify(one), now + index)
    const addUser = database.prepare(
      `INSERT INTO users (tenant_id, id, guest, restricted_capabilities, last_active_at, created_at, updated_at)
       VALUES (?, ?, 0, '[]', ?, ?, ?)`,
    )
    const addProfile = database.prepare(
      `INSERT INTO profiles (tenant_id, id, user_id, schema_version, content, revision, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 4, ?, ?)`,
    )
    for (const [index, [version, values]] of profiles.entries()) {
      addUser.run(tenantId, userIds[index]!, now, now, now)
      addProfile.run(tenantId, ulid(now), userIds[index]!, version, JSON.stringify(values), now, now)
    }
  }
  const before = dumpFile(path)

  const storage = await openSqliteStorage({ path })
  for (const [table, rows] of Object.entries(before)) {
    if (table === 'schema_migrations') continue
    // New columns of the rows are empty.
    const upgraded = (dumpFile(path)[table] ?? []).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => column in (rows[0] ?? {}))),
    )
    const texts = (some: readonly object[]) => some.map((row) => JSON.stringify(row)).sort()
    assert.deepEqual(texts(upgraded), texts(rows), table)
  }
  {
    await using service = await startTestService({ storage, start: now })
    const { admin } = service
    const { items } = await admin.listProfileSchemaVersions({ tenantId })
    assert.deepEqual(
      items.map(({ version, state, publishedBy, profiles }) => [version, state, publishedBy, profiles]),
      [
        ['3', 'current', null, 1],
        ['two', 'superseded', null, 1],
        ['1', 'superseded', null, 1],
      ],
    )
    for (const one of versions)
      assert.deepEqual(await admin.readProfileSchema({ tenantId }, { version: one.version }), one)
    const handles = async () => {
      const read = userIds.map((userId) => admin.readUserProfile({ tenantId, userId }))
      return (await Promise.all(read)).map((profile) => profile['handle'])
    }
    assert.deepEqual(await handles(), ['Ann', 'Bea', 'Cleo'])

    const components: ProfileSchemaInput['components'] = [
      { name: 'handle', type: 'text', required: true, unique: true, searchable: true },
      { name: 'age', type: 'integer', rules: { min: 1 } },
    ]
    assert.equal((await admin.publishProfileSchema({ tenantId }, { components })).state, 'current')
    await refused(admin.updateUserProfile({ tenantId, userId: userIds[2]! }, { handle: 'ANN' }), 'VALIDATION_ERROR')
    assert.deepEqual(await handles(), ['Ann', 'Bea', 'Cleo'])
    const claims = dumpFile(path)['profile_unique'] ?? []
    assert.deepEqual(new Set(claims.map((row) => row['user_id'])), new Set(userIds))
  }
  await rm(folder, { recursive: true, force: true })
})
