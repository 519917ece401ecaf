import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { sampleOf } from '../../../test/support/runner/sample-size.ts'
import { bringUpToDate } from '../../maintenance/schema.ts'
import { openDatabase } from '../../startup/open-database.ts'
import { migrations } from '../migrations.ts'
import { postgresEngines } from './postgres-engines.ts'
import { openPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'

let server: PostgresServer
/** The schema after transactional migrations, without their lock table. */
let expected: Catalog
before(async () => {
  server = await startPostgres()
  const url = await server.createDatabase()
  await (await openPostgresStorage({ url })).close()
  expected = await catalogOf(url)
})
after(() => server.close())

/** An engine with row-level security, which is the last step of a migration. */
const engine = postgresEngines.yugabytedb
const openStepwise = async (url: string, options: Partial<PostgresStorageOptions> = {}) =>
  (await openPostgresStorage({ url, engine, ...options })).close()

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Catalog = Readonly<Record<string, readonly unknown[]>>

/** Columns, constraints, indexes, policies and initial rows. */
async function catalogOf(url: string): Promise<Catalog> {
  const parts = {
    columns: `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name <> 'schema_lock'`,
    constraints: `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> COALESCE(to_regclass('schema_lock'), 0)`,
    indexes: `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'schema_lock'`,
    policies: 'SELECT tablename, policyname, roles, qual, with_check FROM pg_policies',
    forced: 'SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity',
    migrations: 'SELECT id FROM schema_migrations',
    end: 'SELECT id, place FROM inbox_end',
  }
  const catalog: [string, unknown[]][] = []
  await withClient(url, async (client) => {
    for (const [part, sql] of Object.entries(parts)) {
      const { rows } = await client.query(sql)
      catalog.push([part, rows.map((row) => JSON.stringify(row)).sort()])
    }
  })
  return Object.fromEntries(catalog)
}

/** Makes the server refuse to create more than `most` policies. */
const refusePolicies = (most: number) => `
  CREATE OR REPLACE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM pg_policies) > ${most} THEN RAISE 'interrupted'; END IF; END $$;
  CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE POLICY') EXECUTE FUNCTION refuse()`

test('migrations interrupted before any step or record are completed by the next start', async () => {
  const url = await server.createDatabase()
  const interrupted = () => {
    throw new Error('interrupted')
  }
  const sample = new Set(sampleOf(migrations))
  for (const [at, migration] of migrations.entries()) {
    if (!sample.has(migration)) continue
    const { id, steps } = migration
    for (const step of steps.keys()) {
      const cut = [...migrations.slice(0, at), { id, steps: [...steps.slice(0, step), interrupted] }]
      await assert.rejects(openStepwise(url, { migrations: cut }), /interrupted/)
    }
    const onStatement = (name: string) => void (name === 'postgres.record' && interrupted())
    const upToThis = migrations.slice(0, at + 1)
    await assert.rejects(openStepwise(url, { migrations: upToThis, hooks: { onStatement } }), /interrupted/)
    await openStepwise(url, { migrations: upToThis })
  }
  assert.deepEqual(await catalogOf(url), expected)
  await openStepwise(url)
  assert.deepEqual(await catalogOf(url), expected)
})

test('the next start creates the policies that an interrupted one did not', async () => {
  const url = await server.createDatabase()
  for (const most of [0, 1, 2, 3]) {
    await withClient(url, (client) => client.query(refusePolicies(most)))
    await assert.rejects(openStepwise(url), /interrupted/)
    await withClient(url, (client) => client.query('DROP EVENT TRIGGER refuse'))
  }
  await openStepwise(url)
  assert.deepEqual(await catalogOf(url), expected)
})

test('running every migration again, as a process that started late does, does not change rows', async () => {
  const url = await server.createDatabase()
  await openStepwise(url)
  await withClient(url, async (client) => {
    await client.query(`
      INSERT INTO users (tenant_id, id, guest, restricted_capabilities, last_active_at, created_at, updated_at)
        VALUES ('t', 'u', 0, '[]', 2, 1, 1);
      INSERT INTO signing_keys (kid, ordinal, public_jwk, sealed_private_jwk, signs_from, created_at)
        VALUES ('k', 1, '{}', '', 2, 1);
      INSERT INTO sessions (tenant_id, id, user_id, refresh_hash, amr, address, created_at, last_used_at, idle_expires_at, expires_at)
        VALUES ('t', 's', 'u', '', '["otp"]', '', 1, 1, 1, 1);
      UPDATE inbox_end SET place = 7;
      DELETE FROM schema_migrations`)
    await openStepwise(url)
    const kept = 'SELECT last_active_at, signs_from, amr, place FROM users, signing_keys, sessions, inbox_end'
    const { rows } = await client.query(kept)
    assert.deepEqual(rows, [{ last_active_at: '2', signs_from: '2', amr: '["otp"]', place: '7' }])
  })
})

test('processes that start together on an empty database all succeed and create the full schema', async () => {
  const url = await server.createDatabase()
  await Promise.all([1, 2, 3, 4].map(() => openStepwise(url)))
  assert.deepEqual(await catalogOf(url), expected)
})

test('refuses a database with another program’s table of the same name, and does not change it', async () => {
  const url = await server.createDatabase()
  await withClient(url, (client) => client.query('CREATE TABLE notes (id TEXT); CREATE TABLE users (id TEXT)'))
  for (const engine of [postgresEngines.yugabytedb, postgresEngines.citus]) {
    await assert.rejects(openStepwise(url, { engine }), {
      message:
        'Schema change failed: relation "users" already exists. The table belongs to another program, or to a migration ' +
        'that was interrupted with another TENANTRY_DATABASE_ENGINE; use an empty database.',
    })
  }
  const ofPublic = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
  await withClient(url, async (client) => {
    assert.deepEqual((await client.query(ofPublic)).rows, [{ tablename: 'notes' }, { tablename: 'users' }])
    await client.query('DROP TABLE users')
  })
  await openStepwise(url)
})

test('a server start and `tenantry migrate` use the configured engine', async () => {
  const [started, brought] = [await server.createDatabase(), await server.createDatabase()]
  const settings = { engine: 'postgres', connections: 1, rowLevelSecurity: false, migrate: true } as const
  for (const [postgresEngine, lock] of [
    ['citus', null],
    ['postgresql', 'schema_lock'],
  ] as const) {
    await (await openDatabase({ ...settings, url: started, postgresEngine })).close()
    const { from } = await bringUpToDate({ ...settings, url: brought, postgresEngine })
    assert.equal(from, postgresEngine === 'citus' ? null : migrations.at(-1)!.id)
    for (const url of [started, brought]) {
      const { rows } = await withClient(url, (client) => client.query("SELECT to_regclass('schema_lock') AS lock"))
      assert.deepEqual(rows, [{ lock }])
    }
  }
})

test('reports any other error, without retries', async () => {
  const url = await server.createDatabase()
  const broken = { id: '9999-broken', steps: [() => 'CREATE TABLE half (id NO_TYPE)'] }
  await assert.rejects(openStepwise(url, { migrations: [...migrations, broken] }), /no_type/)
  assert.deepEqual(await catalogOf(url), expected)
})

test('retries a schema change on interference by another process (XX000), up to a limit', async () => {
  const url = await server.createDatabase()
  await withClient(url, async (client) => {
    await client.query(`CREATE SEQUENCE attempts;
      CREATE FUNCTION interfere() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') < 1000 THEN RAISE 'interrupted by another change' USING ERRCODE = 'XX000'; END IF; END $$;
      CREATE EVENT TRIGGER interfere ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION interfere()`)
    await assert.rejects(openStepwise(url), /interrupted by another change/)
    await client.query("SELECT setval('attempts', 997)")
  })
  await openStepwise(url)
  assert.deepEqual(await catalogOf(url), expected)
})
