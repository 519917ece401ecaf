import assert from 'node:assert/strict'
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { databaseIn, type ServerProcess, startServer } from '../../test/support/faults/server-process.ts'
import { type } from '../terminal/terminal.testkit.ts'

const secrets = { adminKey: 'restore-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
const folders: string[] = []
const servers: ServerProcess[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-restore-'))
  folders.push(folder)
})
after(async () => {
  for (const server of servers) server.process.kill('SIGKILL')
  for (const one of folders) await rm(one, { recursive: true })
})

const database = () => databaseIn(folder)
const tenantry = (...words: string[]) => type(words, { env: { DATABASE_URL: `sqlite:${database()}` }, folder })

/** A server, after a backup in `kept.db` to which one more tenant was added. */
async function startAfterBackup(): Promise<ServerProcess> {
  const server = await startServer(folder, secrets)
  servers.push(server)
  const admin = createTenantryAdmin({ baseUrl: server.baseUrl, adminKey: secrets.adminKey })
  await admin.createTenant({ name: 'Kept' })
  assert.equal((await tenantry('backup', 'kept.db')).exitCode, 0)
  await admin.createTenant({ name: 'Late' })
  return server
}

const isRoot = process.geteuid?.() === 0

test('root restores for the user of the server', { skip: !isRoot && 'needs root' }, async () => {
  await (await openSqliteStorage({ path: join(folder, 'new.db') })).close()
  assert.equal((await tenantry('backup', 'kept.db', '--database', 'sqlite:new.db')).exitCode, 0)
  assert.equal((await stat(join(folder, 'kept.db'))).uid, 0)
  const state = join(folder, 'state')
  await mkdir(state)
  await chown(state, 65_534, 65_534)
  for (const before of ['no database', 'a database']) {
    const { exitCode, errors } = await tenantry('restore', 'kept.db', '--database', 'sqlite:state/tenantry.db')
    assert.equal(exitCode, 0, errors)
    for (const name of await readdir(state)) {
      const { uid, gid, mode } = await stat(join(state, name))
      assert.deepEqual([uid, gid, mode & 0o777], [65_534, 65_534, 0o600], `${name}, after ${before}`)
    }
  }
})

const refusal = /tenantry\.db is open in another process\. Stop every server on it first\.\n$/

test('refuses to restore while a server runs whose database file was moved away', async () => {
  await startAfterBackup()
  await rename(database(), join(folder, 'moved.db'))
  const files = await readdir(folder)
  const { exitCode, errors } = await tenantry('restore', 'kept.db')
  assert.equal(exitCode, 1)
  assert.match(errors, refusal)
  assert.deepEqual(await readdir(folder), files)
})

test('refuses to restore while a server runs whose database file is damaged', async () => {
  await startAfterBackup()
  {
    // Otherwise the log has the page that is damaged.
    using direct = new DatabaseSync(database())
    direct.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  const file = await open(database(), 'r+')
  await file.write(Buffer.alloc(4096, 'x'), 0, 4096, 0)
  await file.close()
  const { exitCode, errors } = await tenantry('restore', 'kept.db')
  assert.equal(exitCode, 1)
  assert.match(errors, refusal)
})

test("refuses a master key that has the id of the backup's but is another, before it replaces the database", async () => {
  const server = await startAfterBackup()
  await server.end('SIGTERM')
  const files = (await readdir(folder)).sort()
  const [id] = secrets.masterKeys.split(':')
  const restoreWith = (masterKeys: string) =>
    type(['restore', 'kept.db'], {
      env: { DATABASE_URL: `sqlite:${database()}`, TENANTRY_MASTER_KEYS: masterKeys },
      folder,
    })
  const { exitCode, errors } = await restoreWith(`${id}:${Buffer.alloc(32, 7).toString('base64')}`)
  assert.equal(exitCode, 1)
  assert.match(errors, new RegExp(`^The master key ${id} does not decrypt the backup: it has the same id as`))
  assert.deepEqual((await readdir(folder)).sort(), files)
  assert.deepEqual((await restoreWith(`${generateMasterKeys(1)},${secrets.masterKeys}`)).errors, '')
})

test('keeps the log of a database that is missing, so that the restored one is as in the backup', async () => {
  const server = await startAfterBackup()
  await server.end('SIGKILL')
  await rename(database(), join(folder, 'moved.db'))
  assert.ok((await stat(`${database()}-wal`)).size > 0)

  const { exitCode, output, errors } = await tenantry('restore', 'kept.db')
  assert.deepEqual([exitCode, errors], [0, ''])
  const [, kept] = /\nThere was no database before, only its log \(-wal\), which is kept as (.*)\n/.exec(output) ?? []
  assert.match(kept!, /\/tenantry\.db\.before-restore-\d{8}T\d{9}Z-wal$/)
  assert.ok((await stat(kept!)).size > 0)
  const beside = (await readdir(folder)).filter((name) => /-(?:wal|shm)$/.test(name))
  assert.deepEqual(
    beside.filter((name) => name.startsWith('tenantry.db-')),
    [],
  )
  assert.deepEqual(dumpFile(database()), dumpFile(join(folder, 'kept.db')))

  const restored = await startServer(folder, secrets)
  servers.push(restored)
  const admin = createTenantryAdmin({ baseUrl: restored.baseUrl, adminKey: secrets.adminKey })
  const names = (await admin.listTenants({})).items.map(({ name }) => name)
  assert.deepEqual([names.includes('Kept'), names.includes('Late')], [true, false])
  assert.equal(await restored.end('SIGTERM'), 0)
})

test('replaces the file that a link names, and keeps the link', async () => {
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await (await openSqliteStorage({ path: join(disk, 'file.db') })).close()
  await symlink(join(disk, 'file.db'), database())
  assert.equal((await tenantry('backup', 'kept.db')).exitCode, 0)
  const { output, errors } = await tenantry('restore', 'kept.db')
  assert.equal(errors, '')
  assert.match(output, /^Restored the backup to .*\/disk\/file\.db, /)
  assert.equal(await readlink(database()), join(disk, 'file.db'))
  const [, kept] = (await readdir(disk)).sort()
  assert.match(kept!, /^file\.db\.before-restore-/)
  assert.ok((await lstat(join(disk, kept!))).isFile())
  assert.match((await tenantry('restore', 'disk/file.db')).errors, /file\.db is the database itself, not a backup\.\n$/)

  await rm(join(disk, 'file.db'))
  const missing = await tenantry('restore', 'kept.db')
  assert.match(missing.output, /^Restored the backup to .*\/disk\/file\.db, .*\nThere was no database before\.\n/)
  assert.equal(await readlink(database()), join(disk, 'file.db'))
})

test('overwrites the unfinished files of a backup and a restore that were killed', async () => {
  await (await openSqliteStorage({ path: database() })).close()
  await writeFile(join(folder, `kept.db.${process.pid}.unfinished`), 'the beginning of a copy')
  assert.equal((await tenantry('backup', 'kept.db')).exitCode, 0)
  await writeFile(`${database()}.${process.pid}.unfinished`, 'the beginning of a copy')
  const { exitCode, errors } = await tenantry('restore', 'kept.db')
  assert.deepEqual([exitCode, errors], [0, ''])
  assert.deepEqual(dumpFile(database()), dumpFile(join(folder, 'kept.db')))
  assert.ok(!(await readdir(folder)).some((name) => name.endsWith('.unfinished')))
})
