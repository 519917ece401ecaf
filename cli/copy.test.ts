import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createTenantryClient } from '../client/client.ts'
import { openPostgresStorage } from '../server/storage/postgres/postgres-storage.ts'
import { dumpFile } from '../server/storage/sqlite/open-test-storage.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { addPerson } from '../test/person.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import { startTestService } from '../test/service.ts'
import { type } from './test-terminal.ts'

let server: PostgresServer
let folder: string
before(async () => {
  server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-copy-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

let databases = 0
const newFile = (): string => join(folder, `${++databases}.db`)

/** A new database that sorts texts as English does, not by their bytes. */
async function newPostgres(): Promise<string> {
  const url = new URL(await server.createDatabase())
  const name = `english_${process.pid}_${++databases}`
  await inPostgres(
    url.href,
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING UTF8 LOCALE_PROVIDER icu ICU_LOCALE 'en'`,
  )
  url.pathname = `/${name}`
  return url.href
}

async function inPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function inFile(path: string, sql: string): void {
  using database = new DatabaseSync(path, { timeout: 5000 })
  database.exec(sql)
}

const copy = (...words: string[]) => type(['copy', ...words], { folder })

/** Copies; it has to succeed. Answers with what it reports. */
async function copies(...words: string[]): Promise<Record<string, number>> {
  const { exitCode, output, errors } = await copy('--json', ...words)
  assert.equal(exitCode, 0, errors)
  return JSON.parse(output)
}

async function fails(...words: string[]): Promise<string> {
  const { exitCode, output, errors } = await copy(...words)
  assert.equal(exitCode, 1, errors)
  assert.equal(output, '')
  return errors
}

/** All rows but those that say what became of the schema. */
const rowsOf = (path: string) =>
  Object.fromEntries(Object.entries(dumpFile(path)).filter(([table]) => !table.startsWith('schema_')))

/** An empty deployment with two tenants in a file. */
async function newDeployment(): Promise<string> {
  const path = newFile()
  await (await openSqliteStorage({ path })).close()
  const tenant = (id: string) =>
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, profile_schema_version, created_at, updated_at)
     VALUES ('${id}', 'Name of ${id}', 0, '[]', 1, '1', 1767225600000, 9007199254740991);`
  inFile(path, tenant('a') + tenant('b'))
  return path
}

const addUsers = (path: string, tenant: string, count: number) =>
  inFile(
    path,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO users (tenant_id, id, email, guest, restricted_capabilities, created_at, updated_at)
     SELECT '${tenant}', 'u' || n, 'user' || n || '@example.com', 0, '[]', n, n FROM numbers`,
  )

test('a deployment moves to PostgreSQL: the same people come in with the same tokens, codes and passwords', async () => {
  const path = newFile()
  const settings = { storage: await openSqliteStorage({ path }) }
  await using service = await startTestService(settings)
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { accessToken, refreshToken } = await person.signIn()
  const { id } = await person.issue('reset_password')
  const code = await service.codeOf(id)

  const url = await newPostgres()
  // The servers of the source may run meanwhile: it is read as it is at one moment.
  const { exitCode, output, errors } = await copy('--from', `sqlite:${path}`, '--to', url)
  assert.equal(exitCode, 0, errors)
  assert.match(output, /^Copied, and the same on both sides: \d+ tables, \d+ rows \(\d+ added, \d+ removed\)\.\n/)
  assert.match(errors, /^Whatever servers write to the source from now on is not copied: stop them/)
  assert.match(errors, /\nusers: 1 of 1 rows, \d+ a second\n/)

  const { masterKeys, clock } = service
  await using moved = await startTestService({
    storage: await openPostgresStorage({ url }),
    masterKeys,
    start: clock.now(),
  })
  const client = createTenantryClient({ baseUrl: moved.baseUrl, tenantKey: tenant.key })
  assert.equal((await client.withSession(accessToken).getAccount()).email, person.email)
  await client.refreshSession({ refreshToken })
  await client.verifyOtp({ id, scope: 'reset_password', code })
  await client.resetPassword({ step: 'confirm', token: id, password: 'another password' })
  await client.signIn({ method: 'password', email: person.email, password: 'another password' })
})

test('there and back again every row is the same, whatever its texts are and however the database sorts them', async () => {
  const path = await newDeployment()
  addUsers(path, 'a', 3000)
  const words = ['Z', 'a', 'ä', 'é', 'e\u0301', '~', '\uff5e', '😀', "o'Neill", 'x,"y"\\', '\u2028', '{"a":[null]}']
  using database = new DatabaseSync(path)
  const add = database.prepare("INSERT INTO profile_schemas VALUES ('b', ?, ?, ?, ?)")
  for (const [at, word] of words.entries()) add.run(word, at, `${word}\n`.repeat(9), -at)
  // More than a batch holds.
  for (let at = 100; at < 105; at++) add.run(`large ${at}`, at, `${at}`.repeat(250_000), 0)

  const [url, back] = [await newPostgres(), newFile()]
  const { rows } = await copies('--from', `sqlite:${path}`, '--to', url)
  assert.equal(rows, 3000 + words.length + 5 + 2 + 1)
  await copies('--from', url, '--to', `sqlite:${back}`)
  assert.deepEqual(rowsOf(back), rowsOf(path))
  assert.match(
    (await copy('--from', url, '--to', `sqlite:${back}`, '--check')).output,
    /^The same: \d+ tables, 3020 rows/,
  )
})

test('done again it moves what has changed since: changed, swapped, new and gone', async () => {
  for (const to of [await newPostgres(), `sqlite:${newFile()}`]) {
    const path = await newDeployment()
    addUsers(path, 'a', 100)
    await copies('--from', `sqlite:${path}`, '--to', to)
    assert.deepEqual(await copies('--from', `sqlite:${path}`, '--to', to), {
      tables: Object.keys(rowsOf(path)).length,
      rows: await total(path),
      removed: 0,
      added: 0,
    })
    addUsers(path, 'b', 3)
    inFile(
      path,
      `DELETE FROM users WHERE id = 'u7'; UPDATE users SET phone = '+33612345678' WHERE id = 'u9' AND tenant_id = 'a';
       UPDATE users SET email = 'free' WHERE id = 'u20' AND tenant_id = 'a';
       UPDATE users SET email = 'user20@example.com' WHERE id = 'u10' AND tenant_id = 'a';
       UPDATE users SET email = 'user10@example.com' WHERE id = 'u20' AND tenant_id = 'a'`,
    )
    const { removed, added } = await copies('--from', `sqlite:${path}`, '--to', to)
    assert.deepEqual([removed, added], [4, 6])
    const back = newFile()
    await copies('--from', to, '--to', `sqlite:${back}`)
    assert.deepEqual(rowsOf(back), rowsOf(path))
  }
})

const total = (path: string): number => Object.values(rowsOf(path)).reduce((sum, rows) => sum + rows.length, 0)

test('killed in the middle, it is completed by doing it again', async () => {
  const path = await newDeployment()
  addUsers(path, 'a', 20_000)
  const url = await newPostgres()
  const words = [join(import.meta.dirname, 'tenantry.ts'), 'copy', '--from', `sqlite:${path}`, '--to', url]
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  const users = async () =>
    Number((await inPostgres(url, 'SELECT COUNT(*) AS count FROM users').catch(() => []))[0]?.['count'] ?? 0)
  while ((await users()) === 0) await pause(5)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const arrived = await users()
  assert.ok(arrived > 0 && arrived < 20_000, `${arrived} rows`)
  const { added } = await copies('--from', `sqlite:${path}`, '--to', url)
  assert.ok(added! <= 20_000 - arrived + 3)
  assert.match((await copy('--from', `sqlite:${path}`, '--to', url, '--check')).output, /^The same/)
})

test('a row that is not what was copied is found, by the copy itself and by a check later', async () => {
  const path = await newDeployment()
  addUsers(path, 'a', 10)
  const url = await newPostgres()
  await copies('--from', `sqlite:${path}`, '--to', url)
  await inPostgres(url, "UPDATE users SET guest = 1 WHERE id = 'u3'; DELETE FROM tenants WHERE id = 'b'")
  const said = await fails('--from', `sqlite:${path}`, '--to', url, '--check')
  assert.match(
    said,
    /Source and target differ:\n {2}tenants: 2 rows at the source, 1 at the target\n {2}users: 10 rows on both sides, but not the same\n$/,
  )

  const forger = await newPostgres()
  await type(['migrate', '--database', forger], { folder })
  await inPostgres(
    forger,
    `CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.guest := 1; RETURN NEW; END $$;
     CREATE TRIGGER forge BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.id = 'u4') EXECUTE FUNCTION forge()`,
  )
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', forger),
    /users: 10 rows on both sides, but not the same/,
  )
})

test('what would be lost is not overwritten', async () => {
  const [path, other, url] = [await newDeployment(), await newDeployment(), await newPostgres()]
  inFile(other, "UPDATE tenants SET id = 'c' WHERE id = 'b'; UPDATE schema_migrations SET applied_at = 1")
  await copies('--from', `sqlite:${path}`, '--to', url)
  assert.match(
    await fails('--from', `sqlite:${other}`, '--to', url),
    /The target has tenants that the source lacks, b for one: name another target, or empty this one\.\n$/,
  )
  assert.deepEqual(await inPostgres(url, 'SELECT id FROM tenants ORDER BY id'), [{ id: 'a' }, { id: 'b' }])

  // A tenant that was deleted at the source is no reason: the copy brought it.
  inFile(path, "DELETE FROM tenants WHERE id = 'b'")
  await copies('--from', `sqlite:${path}`, '--to', url)

  await inPostgres(url, "UPDATE tenants SET name = 'Changed by a server' WHERE id = 'a'")
  assert.match(await fails('--from', `sqlite:${path}`, '--to', url), /written to since it was copied to.*--overwrite/)
  assert.deepEqual(await inPostgres(url, 'SELECT name FROM tenants'), [{ name: 'Changed by a server' }])
  await copies('--from', `sqlite:${path}`, '--to', url, '--overwrite')
  assert.deepEqual(await inPostgres(url, 'SELECT name FROM tenants'), [{ name: 'Name of a' }])
})

test('a user from whom row-level security hides rows copies nothing', async () => {
  const [path, url] = [await newDeployment(), await newPostgres()]
  await copies('--from', `sqlite:${path}`, '--to', url)
  const role = `reader_${process.pid}`
  await inPostgres(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
  )
  const reader = new URL(url)
  reader.username = role
  reader.password = 'secret'
  const said = await fails('--from', reader.href, '--to', `sqlite:${newFile()}`)
  assert.match(said, /Row-level security hides rows of \w+: connect as the user that the servers connect as\.\n$/)
  await inPostgres(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

test('mistakes are answered in plain words', async () => {
  const path = await newDeployment()
  assert.match(
    await fails('--from', 'sqlite:none.db', '--to', 'sqlite:x.db'),
    /There is no database .*none\.db: name it/,
  )
  assert.match(await fails('--from', `sqlite:${path}`, '--to', `sqlite:${path}`), /are the same database\.\n$/)
  assert.match(await fails('--from', `sqlite:${path}`, '--to', 'mysql://a:b@c/d'), /--to: must be sqlite:/)
  const refused = await fails('--from', `sqlite:${path}`, '--to', 'postgres://me:not-to-be-told@127.0.0.1:1/x')
  assert.match(refused, /No PostgreSQL server can be used: 127\.0\.0\.1:1: .*ECONNREFUSED/)
  assert.doesNotMatch(refused, /not-to-be-told/)
  inFile(path, "DELETE FROM schema_migrations WHERE id = '0008-limits'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', 'sqlite:x.db'),
    /older than this program: it lacks 0008-limits/,
  )
  inFile(path, "INSERT INTO schema_migrations VALUES ('9999-future', 1)")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', 'sqlite:x.db'),
    /newer than this program: it knows 9999-future/,
  )
  assert.equal((await copy('--from', `sqlite:${path}`)).exitCode, 2)
})

test('migrate says from what to what, on both engines, and several at once do it once', async () => {
  const url = await newPostgres()
  const all = await Promise.all([1, 2, 3].map(() => type(['migrate', '--json', '--database', url], {})))
  assert.deepEqual(
    all.map(({ exitCode, errors }) => `${exitCode} ${errors}`),
    ['0 ', '0 ', '0 '],
  )
  assert.match(JSON.parse(all[0]!.output).database, /^postgres:\/\/postgres@127\.0\.0\.1:\d+\/english_/)
  const again = await type(['migrate'], { env: { DATABASE_URL: url, TENANTRY_MIGRATE: 'off' } })
  assert.match(again.output, / is up to date: \d{4}-[\w-]+\.\n$/)

  const path = newFile()
  const first = await type(['migrate', '--database', `sqlite:${path}`], {})
  assert.match(first.output, /\.db went from an empty database to \d{4}-[\w-]+: 0001-tenants, 0002-accounts, /)
  inFile(path, "INSERT INTO schema_migrations VALUES ('9999-future', 1)")
  const newer = await type(['migrate', '--database', `sqlite:${path}`], {})
  assert.equal(newer.exitCode, 1)
  assert.match(newer.errors, /newer than this program: it has been migrated by 9999-future/)
  assert.match((await type(['migrate', '--database', 'nowhere'], {})).errors, /^--database: is "nowhere", but must be /)
})
