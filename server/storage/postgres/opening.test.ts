import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startOwnPostgres } from '../../../test/support/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import { bringUpToDate } from '../../maintenance/schema.ts'
import { migrations } from '../migrations.ts'
import { NoServerAvailable } from './driver/postgres-error.ts'
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

/** A user of this test's own, and a database that is the user's. */
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

test('a user who may make no roles is told what a superuser is to do, and that suffices', async () => {
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

test('an address without a password that is needed is told of, however the server wants it', async () => {
  const url = await server.createDatabase()
  await assert.rejects(open(Object.assign(new URL(url), { password: '' }).href), /asks for a password: write it into/)
  const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  assert.match(
    new NoServerAvailable([{ at: 'db:5432', error }]).message,
    /: db:5432: it asks for a password: write it into/,
  )
})

test('not to be migrated, a database that is empty or lacks migrations is refused, a newer one is not', async () => {
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

test('an opening that fails leaves no connection', async () => {
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

test('a host that is mute is passed over; alone, it is named', async () => {
  const sockets: Socket[] = []
  const mute = createServer((socket) => void sockets.push(socket))
  await once(mute.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(mute.address() as { port: number }).port}`
  const url = await server.createDatabase()
  const first = url.replace('@', `@${host},`)
  const alone = url.replace(new URL(url).host, host)
  const place = { engine: 'postgres', postgresEngine: 'postgresql', connections: 1 } as const
  const settings = { ...place, rowLevelSecurity: false, migrate: false }
  const told = { message: `No PostgreSQL server can be used: ${host}: No answer within 2000 ms` }
  try {
    await Promise.all([
      open(first).then(() => open(first, { migrate: false })),
      assert.rejects(open(alone), told),
      assert.rejects(open(alone, { migrate: false }), told),
      assert.rejects(bringUpToDate({ ...settings, url: alone }), told),
    ])
  } finally {
    for (const socket of sockets) socket.destroy()
    mute.close()
  }
})

test('a second deployment on the server, or one whose roles were restored before it, needs the role given alone', async () => {
  await open(await server.createDatabase())
  await using second = await newUser('second', 'CREATEROLE')
  await execute(server.url, `GRANT tenantry_tenant TO ${second.user}`)
  await open(second.url)
})

test('what the schema meets in a database of somebody else’s, or of another engine, is told with what to do', async () => {
  await using somebody = await newUser('somebody')
  const [owned, used, plain] = [
    await server.createDatabase(),
    await server.createDatabase(),
    await server.createDatabase(),
  ]
  await assert.rejects(open(somebody.as(owned)), /permission denied for schema public\. Connect as the owner/)
  await open(owned)
  await assert.rejects(
    open(somebody.as(owned), { migrate: false }),
    /permission denied for table schema_migrations\. Connect as the owner/,
  )
  await execute(used, 'CREATE TABLE users (id TEXT)')
  await assert.rejects(open(used), /relation "users" already exists\. .* use an empty database/)
  await assert.rejects(
    open(plain, { engine: postgresEngines['aurora-dsql'] }),
    /syntax error at or near "IF"\. Check that TENANTRY_DATABASE_ENGINE/,
  )
})
