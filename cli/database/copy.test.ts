import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { readPlace } from '../../server/maintenance/place.ts'
import { useSource, useTarget } from '../../server/maintenance/use-tables.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { type PostgresServer, startPostgres } from '../../test/support/databases/postgres-server.ts'
import { addPerson } from '../../test/support/person.ts'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { type } from '../terminal/terminal.testkit.ts'
import { addUsers, copies, copy, fails, incomplete, inFile, newDeployment, newFile, rowsOf } from './copy.testkit.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgres()
})
after(() => server.close())

/** A new database with an English collation instead of byte order. */
const newPostgres = () => server.createDatabase('en')

async function inPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('moves a deployment to PostgreSQL: tokens, codes and passwords stay valid', async () => {
  const path = newFile()
  const settings = { storage: await openSqliteStorage({ path }) }
  await using service = await startTestService({ ...settings, start: Date.now() })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const { accessToken, refreshToken } = await person.signIn()
  const { id } = await person.issue('reset_password')
  const code = await service.codeOf(id)

  const url = await newPostgres()
  // Servers can run on the source: it is read in one snapshot.
  const { exitCode, output, errors } = await copy('--from', `sqlite:${path}`, '--to', url)
  assert.equal(exitCode, 0, errors)
  assert.match(output, /^Copied; source and target are identical: \d+ tables, \d+ rows \(\d+ added, \d+ removed\)\.\n/)
  assert.match(errors, /^Writes to the source during the copy are not included\. Stop the servers/)
  assert.match(errors, /\ncomparing both sides\n$/)

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

  // Master keys can be rotated as on SQLite.
  const reset = await client.resetPassword({ step: 'challenge', email: person.email })
  const sent = await moved.codeOf(reset.id)
  const newKey = generateMasterKeys(0)
  const env = { DATABASE_URL: url, TENANTRY_MASTER_KEYS: `${newKey},${masterKeys}` }
  const rotated = await type(['master-key', 'rotate', '--restarted'], { env })
  assert.equal(rotated.exitCode, 0, rotated.errors)
  assert.match(
    rotated.output,
    /: 1 signing keys, 1 checkpoint keys, 1 codes, 3 testing channel messages\.\n[\s\S]*k\d{8}-\w{8} encrypts no data\. Unless/,
  )
  const storage = await openPostgresStorage({ url })
  await using last = await startTestService({ storage, masterKeys: newKey, start: clock.now() })
  const again = createTenantryClient({ baseUrl: last.baseUrl, tenantKey: tenant.key })
  await again.verifyOtp({ id: reset.id, scope: 'reset_password', code: sent })
})

/** Repeats `act` until `work` is done. */
async function meanwhile<T>(act: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let isOn = true
  const acting = (async () => {
    while (isOn) await Promise.all([act(), pause(20)])
  })()
  try {
    return await work()
  } finally {
    isOn = false
    await acting
  }
}

const schemaColumns = 'tenant_id, version, ordinal, content, published_at'

test('preserves every row there and back, whatever its texts and the collation', async () => {
  const path = await newDeployment()
  addUsers(path, 'a', 3000)
  const words = ['Z', 'a', 'ä', 'é', 'e\u0301', '~', '\uff5e', '😀', "o'Neill", 'x,"y"\\', '\u2028', '{"a":[null]}']
  using database = new DatabaseSync(path)
  const add = database.prepare(`INSERT INTO profile_schemas (${schemaColumns}) VALUES ('b', ?, ?, ?, ?)`)
  for (const [at, word] of words.entries()) add.run(word, at, `${word}\n`.repeat(9), -at)
  // Larger than one batch.
  for (let at = 100; at < 105; at++) add.run(`large ${at}`, at, `${at}`.repeat(250_000), 0)

  const [url, back] = [await newPostgres(), newFile()]
  const { rows } = await copies('--from', `sqlite:${path}`, '--to', url)
  assert.equal(rows, 3000 + words.length + 5 + 2 + 1)
  // Writes during the copy do not matter, because it reads one snapshot; otherwise the two sides would differ.
  let writes = 0
  const addLog = () => inPostgres(url, `INSERT INTO limit_logs VALUES ('${++writes}', '', '', 0)`)
  await meanwhile(addLog, () => copies('--from', url, '--to', `sqlite:${back}`))
  await inPostgres(url, 'DELETE FROM limit_logs')
  await copies('--from', url, '--to', `sqlite:${back}`)
  assert.deepEqual(rowsOf(back), rowsOf(path))
  assert.match(
    (await copy('--from', url, '--to', `sqlite:${back}`, '--check')).output,
    /^Source and target are identical: \d+ tables, 3020 rows/,
  )
})

test('transfers only changes when repeated: updated, swapped, new and deleted rows', async () => {
  for (const to of [await newPostgres(), `sqlite:${newFile()}`]) {
    const path = await newDeployment()
    addUsers(path, 'a', 100)
    // These two sort differently by bytes and by UTF-16.
    inFile(
      path,
      `INSERT INTO profile_schemas (${schemaColumns}) VALUES ('a', '\uff5e', 1, '', 1), ('a', '😀', 2, '', 1)`,
    )
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
      `DELETE FROM users WHERE id = 'u7'; DELETE FROM profile_schemas WHERE version = '\uff5e'; UPDATE users SET phone = '+33612345678' WHERE id = 'u9' AND tenant_id = 'a';
       UPDATE users SET email = 'free' WHERE id = 'u20' AND tenant_id = 'a';
       UPDATE users SET email = 'user20@example.com' WHERE id = 'u10' AND tenant_id = 'a';
       UPDATE users SET email = 'user10@example.com' WHERE id = 'u20' AND tenant_id = 'a'`,
    )
    const { removed, added } = await copies('--from', `sqlite:${path}`, '--to', to)
    assert.deepEqual([removed, added], [5, 6])
    const back = newFile()
    await copies('--from', to, '--to', `sqlite:${back}`)
    assert.ok(!existsSync(`${back}-wal`), 'no write-ahead log is left')
    assert.deepEqual(rowsOf(back), rowsOf(path))
  }
})

const total = (path: string): number => Object.values(rowsOf(path)).reduce((sum, rows) => sum + rows.length, 0)

test('completes a killed copy when repeated', async () => {
  const path = await newDeployment()
  // Three batches of rows. The last one waits in the trigger until the copy is killed.
  addUsers(path, 'a', 5_000)
  const url = await newPostgres()
  await type(['migrate', '--database', url], {})
  await inPostgres(
    url,
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
     CREATE TRIGGER wait BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.id = 'u999') EXECUTE FUNCTION wait()`,
  )
  const words = [join(import.meta.dirname, '../tenantry.ts'), 'copy', '--from', `sqlite:${path}`, '--to', url]
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  const waiting = `FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
  await until(async () => (await inPostgres(url, `SELECT pid ${waiting}`)).length > 0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await inPostgres(url, `SELECT pg_terminate_backend(pid, 10000) ${waiting}`)
  await inPostgres(url, 'DROP TRIGGER wait ON users; DROP FUNCTION wait')
  const arrived = Number((await inPostgres(url, 'SELECT COUNT(*) AS count FROM users'))[0]!['count'])
  assert.ok(arrived > 0 && arrived < 5_000, `${arrived} rows`)
  // A server would write what the next copy removes.
  for (const migrate of [true, false])
    await assert.rejects(openPostgresStorage({ url, migrate }), incomplete('This database'))
  let writes = 0
  const write = async () => inFile(path, `UPDATE tenants SET name = '${++writes}' WHERE id = 'b'`)
  const { added } = await meanwhile(write, () => copies('--from', `sqlite:${path}`, '--to', url))
  assert.ok(added! <= 5_000 - arrived + 3)
  await copies('--from', `sqlite:${path}`, '--to', url)
  assert.match(
    (await copy('--from', `sqlite:${path}`, '--to', url, '--check')).output,
    /^Source and target are identical/,
  )
  await (await openPostgresStorage({ url })).close()
})

test('copies nothing and reports no key as removable if row-level security hides rows from the user', async () => {
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
  const refusal = /Row-level security hides rows of \w+\. Connect as the user that migrated the database\.\n$/
  assert.match(await fails('--from', reader.href, '--to', `sqlite:${newFile()}`), refusal)
  const env = { DATABASE_URL: reader.href, TENANTRY_MASTER_KEYS: generateMasterKeys(0) }
  const rotated = await type(['master-key', 'rotate', '--restarted'], { env })
  assert.equal(rotated.output, '')
  assert.match(rotated.errors, refusal)
  await inPostgres(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

test('disables the idle transaction timeout on both sides', async () => {
  const place = readPlace({ env: { DATABASE_URL: await newPostgres() }, folder: '.' })
  const show = 'SHOW idle_in_transaction_session_timeout'
  for (const use of [useSource, useTarget])
    assert.deepEqual(await use(place, (database) => database.execute(show)), [
      { idle_in_transaction_session_timeout: '0' },
    ])
})
