import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { backUp } from '../../server/maintenance/backup.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { newTenant, userOf } from '../../server/storage/suite/samples.testkit.ts'
import { databaseIn, startServer } from '../../test/support/faults/server-process.ts'
import { smallDisk } from '../../test/support/faults/small-disk.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { type } from '../terminal/terminal.testkit.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-backup-'))
})
after(() => rm(folder, { recursive: true }))

const database = () => databaseIn(folder)
const env = () => ({ DATABASE_URL: `sqlite:${database()}` })

async function tenantry(...words: string[]): Promise<string> {
  const { exitCode, output, errors } = await type(words, { env: env(), folder })
  assert.equal(`${exitCode} ${errors}`, '0 ')
  return output
}

async function fails(...words: string[]): Promise<string> {
  const { exitCode, output, errors } = await type(words, { env: env(), folder })
  assert.equal(`${exitCode} ${output}`, '1 ')
  return errors
}

function usersIn(path: string): Set<unknown> {
  using database = new DatabaseSync(path, { readOnly: true })
  const ids = database.prepare('SELECT id FROM users').all()
  return new Set(ids.map(({ id }) => id))
}

const unfinished = async () => (await readdir(folder)).filter((name) => name.includes('unfinished'))

test('backs up under write load: each backup is sound and has every write acknowledged before it began', async () => {
  const storage = await openSqliteStorage({ path: database() })
  const tenant = await newTenant(storage)
  const acknowledged: string[] = []
  let isOn = true
  async function write(): Promise<void> {
    while (isOn) {
      const user = userOf()
      await tenant.users.add(user, null)
      acknowledged.push(user.id)
      await pause(10)
    }
  }
  const writing = Promise.all(Array.from({ length: 20 }, write))
  const command = join(import.meta.dirname, '../tenantry.ts')
  for (const name of ['first.db', 'second.db', 'third.db'].slice(0, sampleSize(3))) {
    const known = [...acknowledged]
    // In a separate process, as an operator would run it; the writes continue.
    const child = spawn(process.execPath, [command, 'backup', name], {
      cwd: folder,
      env: { ...env(), PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    const backup = join(folder, name)
    const users = usersIn(backup)
    assert.deepEqual(
      known.filter((id) => !users.has(id)),
      [],
    )
    assert.equal((await stat(backup)).mode & 0o777, 0o600)
    using opened = new DatabaseSync(backup, { readOnly: true })
    assert.deepEqual({ ...opened.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
    assert.deepEqual(opened.prepare('PRAGMA foreign_key_check').all(), [])
    assert.ok(acknowledged.length > known.length, 'writes continued during the backup')
  }
  isOn = false
  await writing
  await storage.close()
  assert.deepEqual(await unfinished(), [])

  const before = usersIn(database())
  const said = await tenantry('restore', 'first.db')
  assert.deepEqual(dumpFile(database()), dumpFile(join(folder, 'first.db')))
  const kept = /\nThe previous database is kept as (.*)\n/.exec(said)?.[1] ?? ''
  assert.match(basename(kept), /^tenantry\.db\.before-restore-\d{8}T\d{9}Z$/)
  assert.deepEqual(usersIn(kept), before)
  const again = await openSqliteStorage({ path: database() })
  assert.equal(await again.system.tenants.count(), 1)
  await again.close()
})

test('restores a database that works, and refuses to restore while a server has it open', async () => {
  await rm(folder, { recursive: true })
  await mkdir(folder)
  const secrets = { adminKey: 'backup-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
  const server = await startServer(folder, secrets)
  const admin = createTenantryAdmin({ baseUrl: server.baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Kept' })
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
  const app = createTenantryClient({ baseUrl: server.baseUrl, tenantKey })
  const ada = { method: 'password', email: 'ada@example.com', password: 'correct horse' } as const
  const { refreshToken } = await app.signUp(ada)
  assert.match(
    await tenantry('backup', 'kept.db'),
    /bytes, integrity checked, schema \d{4}-.*\nRestoring it requires the master key k1970/,
  )
  await app.signUp({ ...ada, email: 'late@example.com' })
  assert.match(await fails('restore', 'kept.db'), /is open in another process\. Stop every server on it first\.\n$/)
  assert.deepEqual(await unfinished(), [])
  await app.signIn({ ...ada, email: 'late@example.com' })

  await server.end('SIGKILL')
  await tenantry('restore', 'kept.db')
  const restored = await startServer(folder, secrets)
  const again = createTenantryClient({ baseUrl: restored.baseUrl, tenantKey })
  await again.refreshSession({ refreshToken })
  await assert.rejects(again.signIn({ ...ada, email: 'late@example.com' }), { code: 'INVALID_CREDENTIALS' })
  assert.equal(await restored.end('SIGTERM'), 0)
})

test('includes the write-ahead log of a killed server in the backup and in the kept database', async () => {
  await rm(folder, { recursive: true })
  await mkdir(folder)
  const module = JSON.stringify(new URL('../../server/storage/sqlite/sqlite-storage.ts', import.meta.url).href)
  const program = `
    import { openSqliteStorage } from ${module}
    await openSqliteStorage({ path: ${JSON.stringify(database())} })
    process.kill(process.pid, 'SIGKILL')`
  await once(spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }), 'exit')
  assert.ok((await stat(`${database()}-wal`)).size > 0)
  await tenantry('backup', 'of-the-log.db')
  const { schema, kept } = JSON.parse(await tenantry('restore', 'of-the-log.db', '--json'))
  assert.match(schema, /^\d{4}-/)
  assert.deepEqual(dumpFile(kept), dumpFile(database()))
})

test('replaces a damaged database and keeps it with its log', async () => {
  await writeFile(`${database()}-wal`, 'the log of the damaged one')
  await writeFile(database(), 'no database at all, '.repeat(500))
  const { kept } = JSON.parse(
    await tenantry('restore', 'of-the-log.db', '--json', '--database', `sqlite:${database()}`),
  )
  assert.match(await readFile(kept, 'utf8'), /^no database at all/)
  assert.equal(await readFile(`${kept}-wal`, 'utf8'), 'the log of the damaged one')
  assert.deepEqual(dumpFile(database()), dumpFile(join(folder, 'of-the-log.db')))
})

test('overwrites nothing and rejects files that are not backups', async () => {
  await writeFile(join(folder, 'junk.db'), 'no database at all, '.repeat(500))
  assert.match(await fails('backup', 'x.db', '--database', 'sqlite:junk.db'), /junk\.db is not a SQLite database/)
  await tenantry('backup', 'once.db')
  assert.match(await fails('backup', 'once.db'), /once\.db already exists\. Backups never overwrite files/)
  assert.match(await fails('backup', 'x.db', '--database', 'sqlite:none.db'), /^Database .*none\.db not found\./)
  assert.match(await fails('restore', 'none.db'), /^File .*none\.db not found\.\n$/)
  assert.match(await fails('restore', 'tenantry.db'), /is the database itself/)
  await writeFile(join(folder, 'text.db'), 'hello '.repeat(1000))
  assert.match(await fails('restore', 'text.db'), /text\.db is not a SQLite database, or is too damaged to read\.\n$/)
  const spoil = (name: string, sql: string) => {
    using file = new DatabaseSync(join(folder, name))
    file.exec(sql)
  }
  spoil('other.db', 'CREATE TABLE notes (text TEXT)')
  assert.match(await fails('restore', 'other.db'), /other\.db is not a Tenantry database/)
  spoil('once.db', "INSERT INTO schema_migrations VALUES ('9999-future', 1)")
  assert.match(await fails('restore', 'once.db'), /newer than this program: it has the migrations 9999-future/)
  assert.match(await fails('backup', 'x.db', '--database', 'sqlite:once.db'), /once\.db is newer than this program/)
  await tenantry('backup', 'orphan.db')
  spoil(
    'orphan.db',
    "PRAGMA foreign_keys = OFF; INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at) VALUES ('gone', '1', 1, '', 1)",
  )
  const orphan = /damaged: a row of profile_schemas belongs to a tenant that does not exist/
  assert.match(await fails('backup', 'x.db', '--database', 'sqlite:orphan.db'), orphan)
  assert.match(await fails('restore', 'orphan.db'), orphan)
  assert.ok(!(await readdir(folder)).includes('x.db'), 'a backup is sound, or not there')
  await tenantry('backup', 'altered.db')
  spoil('altered.db', "INSERT INTO limit_logs VALUES ('a-limit-log', '', '', 0)")
  const altered = await readFile(join(folder, 'altered.db'))
  altered.write('b', altered.lastIndexOf('a-limit-log'))
  await writeFile(join(folder, 'altered.db'), altered)
  assert.match(await fails('restore', 'altered.db'), /altered\.db is damaged: row 1 missing from index/)
  const bytes = await readFile(join(folder, 'of-the-log.db'))
  await writeFile(join(folder, 'cut.db'), bytes.subarray(0, bytes.length / 2))
  assert.match(await fails('restore', 'cut.db'), /damaged/)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('unfinished')),
    [],
  )
})

test('keeps a file that appeared while the backup was written', async () => {
  await (await openSqliteStorage({ path: database() })).close()
  const file = join(folder, 'raced.db')
  const backup = backUp({ engine: 'sqlite', path: database() }, file, {
    watch: () => writeFileSync(file, 'another backup'),
  })
  await assert.rejects(backup, {
    message: `${file} already exists. Backups never overwrite files; choose another file.`,
  })
  assert.equal(await readFile(file, 'utf8'), 'another backup')
  assert.deepEqual(await unfinished(), [])
})

test('a full disk of a database without a log is reported, also if the backup is on another disk', async (t) => {
  const place = join(folder, 'full')
  await mkdir(place)
  using disk = smallDisk(t, place)
  if (disk === null) return
  const path = databaseIn(place)
  await (await openSqliteStorage({ path })).close()
  disk.fill()
  const full = { name: 'DatabaseFileError', message: `the disk of ${path} is full; free some space` }
  await assert.rejects(backUp({ engine: 'sqlite', path }, join(folder, 'elsewhere.db')), full)
  assert.deepEqual(await unfinished(), [])
})
