import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { migrations } from '../../server/storage/migrations.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { messageOf, newTenant, otpOf, sessionOf, t0, userOf } from '../../server/storage/suite/samples.testkit.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { startServer } from '../support/faults/server-process.ts'
import { until } from '../support/until.ts'
import { futureMigration } from './future-migration.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.close())

const secrets = { adminKey: 'migration-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const ids = migrations.map(({ id }) => id)

/** Creates a database, and a client that is closed with the test. */
async function database(): Promise<{ url: string; client: pg.Client } & AsyncDisposable> {
  const url = await server.createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { url, client, [Symbol.asyncDispose]: () => client.end() }
}

const applied = async (client: pg.Client): Promise<string[]> =>
  (await client.query('SELECT id FROM schema_migrations ORDER BY id')).rows.map(({ id }) => id)

test('when servers start at once on an empty database, each migration runs once and all become ready', async () => {
  await using empty = await database()
  const start = () => startServer('', secrets, { DATABASE_URL: empty.url })
  const servers = await Promise.all([start(), start()])
  assert.deepEqual(await applied(empty.client), ids)
  for (const { end } of servers) assert.equal(await end('SIGTERM'), 0)
})

test('warns at startup about an empty database', async () => {
  await using empty = await database()
  const warning = /"level":40,.*created the tables in an empty database; .* check DATABASE_URL and the search_path/
  for (const isNew of [true, false]) {
    const server = await startServer('', secrets, { DATABASE_URL: empty.url })
    assert.equal(await server.end('SIGTERM'), 0)
    assert.equal(warning.test(server.output()), isNew)
  }
})

test('twelve processes can migrate an empty database at once when every transaction is SERIALIZABLE', async () => {
  await using empty = await database()
  await empty.client.query(
    `ALTER DATABASE ${new URL(empty.url).pathname.slice(1)} SET default_transaction_isolation = serializable`,
  )
  const opened = await Promise.all(Array.from({ length: 12 }, () => openPostgresStorage({ url: empty.url })))
  assert.deepEqual(await applied(empty.client), ids)
  for (const storage of opened) await storage.close()
})

test('rolls back a migration whose process is killed, and runs it at the next startup (threat G19)', async () => {
  await using some = await database()
  const child = fork(join(import.meta.dirname, 'migrating-process.ts'), [some.url, '1'])
  const sleeping = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(1)'"
  await until(async () => (await some.client.query(sleeping)).rowCount === 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.deepEqual(await applied(some.client), ids)
  const futureColumns = () => some.client.query("SELECT 1 FROM information_schema.columns WHERE column_name = 'future'")
  assert.equal((await futureColumns()).rowCount, 0)
  // Opening waits until the server notices the dead process, which is at the end of its statement.
  const storage = await openPostgresStorage({ url: some.url, migrations: [...migrations, futureMigration()] })
  assert.deepEqual(await applied(some.client), [...ids, '9999-future'])
  assert.ok((await futureColumns()).rowCount! > 10)
  await storage.close()
})

test('a running server keeps working while a newer version migrates its database', async () => {
  await using shared = await database()
  const running = await openPostgresStorage({ url: shared.url })
  const tenant = await newTenant(running)
  let round = 0
  async function work(): Promise<void> {
    const name = `${++round}`
    await tenant.users.add(userOf({ id: name, email: `${name}@example.com` }), null)
    const session = sessionOf({ id: name, userId: name })
    await tenant.sessions.add(session, { refreshHash: name, amr: ['pwd'] }, { userAgent: null, network: '' })
    assert.equal((await tenant.users.find(name))?.id, name)
    assert.equal((await tenant.sessions.listOf(name, t0)).length, 1)
    const otp = otpOf({ id: name, userId: name })
    await tenant.otps.issue(otp, messageOf())
    const { applied } = await tenant.otps.resend(name, otp.scope, t0 + 3_600_000, messageOf())
    assert.equal(applied, otp.expiresAt > t0 + 3_600_000)
    assert.equal(await tenant.smsSpending.spend(`day ${name}`, 1), true)
    await running.callerRecord('nobody', null)
    await running.ping()
  }
  // More jobs than connections, so that every connection has prepared its statements.
  await Promise.all(Array.from({ length: 12 }, work))
  const newer = await openPostgresStorage({ url: shared.url, migrations: [...migrations, futureMigration()] })
  await Promise.all(Array.from({ length: 12 }, work))
  assert.equal((await newer.forTenant((await tenant.tenant.get())!.id).users.find('1'))?.id, '1')
  await running.close()
  await newer.close()
})

test('a migration that a long reader keeps waiting does not hold up the running servers', async () => {
  await using shared = await database()
  const { client, url } = shared
  const running = await openPostgresStorage({ url })
  const tenant = await newTenant(running)
  await client.query('BEGIN')
  await client.query('SELECT id FROM users')
  const opening = openPostgresStorage({ url, migrations: [...migrations, futureMigration()] })
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = $1'
  await until(async () => (await client.query(waiting, ['relation'])).rowCount! > 0)
  await tenant.users.add(userOf({ id: 'u' }), null)
  assert.equal((await tenant.users.find('u'))?.id, 'u')
  await client.query('COMMIT')
  await (await opening).close()
  assert.deepEqual(await applied(client), [...ids, '9999-future'])
  await running.close()
})

test('a migration that a reader keeps waiting for too long fails with what to do', async () => {
  await using shared = await database()
  const { client, url } = shared
  await (await openPostgresStorage({ url })).close()
  await client.query('BEGIN')
  await client.query('SELECT id FROM users')
  const opening = openPostgresStorage({ url, migrations: [...migrations, futureMigration()], tableWaits: 2 })
  const advice = /lock timeout\. A long transaction, such as a backup, has used the table for ten minutes; start again/
  await assert.rejects(opening, advice)
  await client.query('COMMIT')
  assert.deepEqual(await applied(client), ids)
})

test('a migration that deadlocks with a running server runs again', async () => {
  await using shared = await database()
  const { client, url } = shared
  // Otherwise the migration gives up its lock before the server looks for deadlocks. The other side never looks.
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET deadlock_timeout = '500ms'`)
  await client.query("SET deadlock_timeout = '1min'")
  await (await openPostgresStorage({ url })).close()
  await client.query('BEGIN')
  await client.query('SELECT id FROM users')
  const opening = openPostgresStorage({ url, migrations: [...migrations, futureMigration()] })
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass"
  await until(async () => (await client.query(waiting)).rowCount! > 0)
  // The migration has locked the tenants and waits for the users.
  await client.query('SELECT id FROM tenants')
  await client.query('COMMIT')
  await (await opening).close()
  assert.deepEqual(await applied(client), [...ids, '9999-future'])
})

test('prepared statements of a version before migration 0006 still work after all migrations', async () => {
  await using shared = await database()
  const { client, url } = shared
  await (await openPostgresStorage({ url, migrations: migrations.slice(0, 5) })).close()
  assert.deepEqual(await applied(client), ids.slice(0, 5))
  /** The statements of that version, with the columns it had. */
  const old = {
    tenant: `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version,
      created_at, updated_at) VALUES ($1, 'Acme', 0, '[]', 1, '{}', '1', $2, $2)`,
    user: `INSERT INTO users (tenant_id, id, email, guest, restricted_capabilities, created_at, updated_at)
      VALUES ('t', $1, $1 || '@example.com', 0, '[]', $2, $2)`,
    session: `INSERT INTO sessions (tenant_id, id, user_id, refresh_hash, address, created_at, last_used_at,
      idle_expires_at, expires_at) VALUES ('t', $1, $1, 'hash ' || $1, '192.0.2.1', $2, $2, $2, $2)`,
    signingKey: `INSERT INTO signing_keys (kid, ordinal, public_jwk, sealed_private_jwk, created_at)
      VALUES ($1, (SELECT COUNT(*) + 1 FROM signing_keys), '{}', 'sealed', $2)`,
  }
  const run = (name: keyof typeof old, id: string) => client.query({ name, text: old[name], values: [id, t0] })
  const readOld = () =>
    client.query({ name: 'read', text: 'SELECT id, email, guest FROM users WHERE tenant_id = $1', values: ['t'] })
  await run('tenant', 't')
  for (const name of ['user', 'session', 'signingKey'] as const) await run(name, 'before')
  assert.equal((await readOld()).rowCount, 1)

  const storage = await openPostgresStorage({ url })
  for (const name of ['user', 'session', 'signingKey'] as const) await run(name, 'after')
  assert.equal((await readOld()).rowCount, 2)
  const { users, sessions } = storage.forTenant('t')
  for (const id of ['before', 'after']) {
    assert.equal((await users.find(id))?.email, `${id}@example.com`)
    assert.deepEqual((await sessions.find(id))?.amr, ['pwd'])
  }
  assert.equal((await storage.system.signingKeys.list()).length, 2)
  await storage.close()
})

test('refuses to start on a database that is newer than the program', async (t) => {
  await using newer = await database()
  await (await openPostgresStorage({ url: newer.url, migrations: [...migrations, futureMigration()] })).close()
  const message = /This database is newer than this program: unknown migrations 9999-future/
  await assert.rejects(openPostgresStorage({ url: newer.url }), message)
  const main = join(import.meta.dirname, '../../server/start.js')
  const cwd = await mkdtemp(join(tmpdir(), 'tenantry-older-'))
  t.after(() => rm(cwd, { recursive: true }))
  const child = spawn(process.execPath, [main], { cwd, env: { PORT: '0', DATABASE_URL: newer.url } })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  assert.deepEqual(await once(child, 'close'), [1, null])
  assert.match(said, /^Tenantry failed to start:\n {2}This database is newer than this program/)
})
