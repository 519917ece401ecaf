import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startOwnPostgres } from '../../../test/support/databases/postgres-server.ts'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { until } from '../../../test/support/until.ts'
import { bringUpToDate } from '../../maintenance/schema.ts'
import { migrations } from '../migrations.ts'
import { postgresEngines } from './postgres-engines.ts'
import { openPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'

let server: PostgresServer
before(async () => {
  server = await startOwnPostgres()
})
after(() => server.close())

const open = async (url: string, options: Partial<PostgresStorageOptions> = {}) =>
  (await openPostgresStorage({ url, ...options })).close()

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Creates a user, and a database that the user owns. */
async function newUser(name: string, attributes = '') {
  const user = `tenantry_${process.pid}_${name}`
  const url = await server.createDatabase()
  await execute(server.url, `CREATE ROLE ${user} LOGIN ${attributes} PASSWORD 'secret'`)
  const as = (database: string): string => {
    const address = new URL(database)
    return Object.assign(address, { username: user, password: 'secret' }).href
  }
  await execute(server.url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${user}`)
  return {
    user,
    url: as(url),
    as,
    async [Symbol.asyncDispose]() {
      await server.dropDatabase(url)
      await execute(server.url, `DROP ROLE ${user}`)
    },
  }
}

test('tells a user who cannot create roles what a superuser has to run', async () => {
  await using plain = await newUser('plain')
  await assert.rejects(
    open(plain.url),
    /needs the role tenantry_tenant, .*\(permission denied .*"GRANT tenantry_tenant TO <this user>"; or set TENANTRY_ROW/,
  )
  await open(await server.createDatabase())
  await execute(server.url, `GRANT tenantry_tenant TO ${plain.user}`)
  await open(plain.url)
  await open(plain.url)
})

test('says how to provide a password that the server requires', async () => {
  const url = Object.assign(new URL(await server.createDatabase()), { password: '' }).href
  await assert.rejects(open(url), /the server requires a password; add it to the URL/)
})

test('with migrate off, refuses an empty or older database, and accepts a newer one', async () => {
  const url = await server.createDatabase()
  const off = { migrate: false }
  await assert.rejects(open(url, off), {
    message: 'The database is empty and TENANTRY_MIGRATE is off; run "tenantry migrate" first.',
  })
  await open(url, { migrations: migrations.slice(0, -1) })
  await assert.rejects(open(url, off), new RegExp(`lacks ${migrations.at(-1)!.id} and .*; run "tenantry migrate"`))
  await open(url)
  await open(url, { ...off, migrations: migrations.slice(0, -1) })
})

test('leaves no connection open when opening fails', async () => {
  const url = await server.createDatabase()
  await assert.rejects(open(url, { migrate: false }), /is empty/)
  const drop = `DROP DATABASE ${new URL(url).pathname.slice(1)}`
  await until(() =>
    execute(server.url, drop).then(
      () => true,
      () => false,
    ),
  )
})

test('skips a host that does not answer; with no other host, the error names it', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket))
  const port = await listenOnLoopback(silent)
  const host = `127.0.0.1:${port}`
  const url = await server.createDatabase()
  const first = url.replace('@', `@${host},`)
  const alone = url.replace(new URL(url).host, host)
  const place = { engine: 'postgres', postgresEngine: 'postgresql', connections: 1 } as const
  const settings = { ...place, rowLevelSecurity: false, migrate: false }
  const expected = { message: `No PostgreSQL server is available: ${host}: no response within 2000 ms` }
  try {
    await Promise.all([
      open(first).then(() => open(first, { migrate: false })),
      assert.rejects(open(alone), expected),
      assert.rejects(open(alone, { migrate: false }), expected),
      assert.rejects(bringUpToDate({ ...settings, url: alone }), expected),
    ])
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('a second deployment on a server uses the existing role', async () => {
  await open(await server.createDatabase())
  await using second = await newUser('second', 'CREATEROLE')
  await execute(server.url, `GRANT tenantry_tenant TO ${second.user}`)
  await open(second.url)
})

test('lets the role of row-level security use the schema, and refuses one that it does not find', async () => {
  await open(await server.createDatabase())
  await using owner = await newUser('schema')
  await execute(server.url, `GRANT tenantry_tenant TO ${owner.user}`)
  const superuser = Object.assign(new URL(server.url), { pathname: new URL(owner.url).pathname }).href
  await execute(superuser, 'REVOKE ALL ON SCHEMA public FROM PUBLIC')
  const storage = await openPostgresStorage({ url: owner.url })
  assert.equal(await storage.forTenant('any').users.find('any'), null)
  await storage.close()
  await execute(superuser, `CREATE SCHEMA ${owner.user} AUTHORIZATION ${owner.user}`)
  await assert.rejects(open(owner.url), new RegExp(`"ALTER ROLE <this user> SET search_path = ${owner.user}"`))
  await execute(owner.url, `ALTER ROLE ${owner.user} SET search_path = ${owner.user}`)
  await open(owner.url, { migrate: false })
})

test('leaves views and tables of the operator as they are', async () => {
  const url = await server.createDatabase()
  await open(url)
  await execute(
    url,
    `CREATE VIEW users_of_tenants AS SELECT tenant_id, count(*) FROM users GROUP BY tenant_id;
    CREATE TABLE exported_users AS SELECT tenant_id, id FROM users`,
  )
  await open(url)
  await open(url, { migrate: false })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("SELECT policyname FROM pg_policies WHERE tablename = 'exported_users'")
  await client.end()
  assert.deepEqual(rows, [])
})

test('with migrate off, refuses a user that row-level security hides rows from, also where it is switched off', async () => {
  await using stranger = await newUser('stranger')
  const url = Object.assign(new URL(server.url), { pathname: new URL(stranger.url).pathname }).href
  await open(url)
  await execute(url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${stranger.user}`)
  await execute(url, `GRANT tenantry_tenant TO ${stranger.user}`)
  for (const rowLevelSecurity of [true, false])
    await assert.rejects(
      open(stranger.url, { migrate: false, rowLevelSecurity }),
      /^Error: Row-level security hides rows of \w+\. Connect as the user that migrated the database\.$/,
    )
})

test('with migrate off, refuses a user without the role of row-level security, and tables without its policies', async () => {
  await open(await server.createDatabase())
  await using owner = await newUser('owner')
  const off = { migrate: false }
  await open(owner.url, { rowLevelSecurity: false })
  await assert.rejects(open(owner.url, off), /needs the role tenantry_tenant, which this user does not have\. Run/)
  await execute(server.url, `GRANT tenantry_tenant TO ${owner.user}`)
  await assert.rejects(
    open(owner.url, off),
    /Row-level security is not enabled on \w+\. Run "tenantry migrate" first, or/,
  )
  await open(owner.url, { ...off, rowLevelSecurity: false })
  await open(owner.url)
  await open(owner.url, off)
})

test('says what to do when the database belongs to another user, another program or another engine', async () => {
  await using outsider = await newUser('outsider')
  const [owned, used, plain] = [
    await server.createDatabase(),
    await server.createDatabase(),
    await server.createDatabase(),
  ]
  await assert.rejects(open(outsider.as(owned)), /permission denied for schema public\. Connect as the owner/)
  await open(owned)
  await assert.rejects(
    open(outsider.as(owned), { migrate: false }),
    /permission denied for table schema_migrations\. Connect as the owner/,
  )
  await execute(used, 'CREATE TABLE users (id TEXT)')
  await assert.rejects(open(used), /relation "users" already exists\. .* use an empty database/)
  await assert.rejects(
    open(plain, { engine: postgresEngines['aurora-dsql'] }),
    /syntax error at or near "IF"\. Check that TENANTRY_DATABASE_ENGINE/,
  )
})

test('migrates for longer than the transaction_timeout of the user', async () => {
  await using hurried = await newUser('hurried')
  await open(await server.createDatabase())
  await execute(server.url, `GRANT tenantry_tenant TO ${hurried.user}`)
  await open(hurried.url)
  await execute(server.url, `ALTER ROLE ${hurried.user} SET transaction_timeout = '200ms'`)
  await open(hurried.url, { migrations: [...migrations, { id: '9999-slow', steps: [() => 'SELECT pg_sleep(0.5)'] }] })
})

test('refuses a new database whose encoding does not have all letters', async () => {
  const url = Object.assign(new URL(server.url), { pathname: '/latin' }).href
  await execute(
    server.url,
    "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'",
  )
  await assert.rejects(open(url), /encoding LATIN1, .* Create it again with ENCODING 'UTF8' TEMPLATE template0\./)
})
