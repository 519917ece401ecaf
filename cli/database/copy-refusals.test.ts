import assert from 'node:assert/strict'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrations } from '../../server/storage/migrations.ts'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { type } from '../terminal/terminal.testkit.ts'
import { addUsers, copies, copy, fails, incomplete, inFile, newDeployment, newFile, rowsOf } from './copy.testkit.ts'

test('finds a row that differs, during the copy and with --check', async () => {
  const [path, target, forger] = [await newDeployment(), newFile(), newFile()]
  addUsers(path, 'a', 10)
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  inFile(target, "UPDATE users SET guest = 1 WHERE id = 'u3'; DELETE FROM tenants WHERE id = 'b'")
  const before = rowsOf(target)
  assert.equal(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`, '--check'),
    'Source and target differ:\n  tenants: 2 rows in the source, 1 in the target\n  users: 10 rows on both sides, with different content\n',
  )
  assert.deepEqual(rowsOf(target), before)

  await type(['migrate', '--database', `sqlite:${forger}`], {})
  const forge = "UPDATE users SET guest = 1 WHERE id = 'u4'"
  inFile(forger, `CREATE TRIGGER forge AFTER INSERT ON users WHEN NEW.id = 'u4' BEGIN ${forge}; END`)
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${forger}`),
    /Source and target differ:\n {2}users: 10 rows on both sides, with different content\n$/,
  )
  assert.deepEqual(
    dumpFile(forger)['schema_copy']?.map(({ digest }) => digest),
    [null],
    'it was never completed',
  )
  await assert.rejects(openSqliteStorage({ path: forger }), incomplete('This database'))
  const onward = ['--from', `sqlite:${forger}`, '--to', `sqlite:${newFile()}`]
  assert.match(await fails(...onward), incomplete('The source').message)
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${forger}`, '--check'),
    incomplete('The target').message,
  )
  const { errors } = await type(['backup', newFile(), '--database', `sqlite:${forger}`], {})
  assert.match(errors, / is an incomplete copy\. Run "tenantry copy" again/)
  inFile(forger, 'DROP TRIGGER forge')
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${forger}`)
  await (await openSqliteStorage({ path: forger })).close()
})

test('names the side that is not a database, and leaves it as it is', async () => {
  const [path, text] = [await newDeployment(), newFile()]
  writeFileSync(text, 'no database')
  for (const [from, to] of [
    [path, text],
    [text, path],
  ])
    assert.equal(
      await fails('--from', `sqlite:${from}`, '--to', `sqlite:${to}`),
      `failed to open the database ${text}: it is damaged or not a SQLite database; restore a backup (docs/guides/backup-and-restore.md), or name another file\n`,
    )
  assert.equal(readFileSync(text, 'utf8'), 'no database')
})

test('does not overwrite data that would be lost', async () => {
  const [path, other, target] = [await newDeployment(), await newDeployment(), newFile()]
  const names = () => rowsOf(target)['tenants']?.map(({ id, name }) => `${id}: ${name}`)
  inFile(other, "UPDATE tenants SET id = 'c' WHERE id = 'b'; UPDATE schema_migrations SET applied_at = 1")
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  // Not even with --overwrite: the tenants may belong to another deployment.
  for (const more of [[], ['--overwrite']])
    assert.match(
      await fails('--from', `sqlite:${other}`, '--to', `sqlite:${target}`, ...more),
      /^The target has tenants that the source lacks, such as b\. Choose another target, or empty this one\.\n$/,
    )
  assert.deepEqual(names(), ['a: Name of a', 'b: Name of b'])

  // A tenant deleted at the source does not matter: the previous copy added it.
  inFile(path, "DELETE FROM tenants WHERE id = 'b'")
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  assert.deepEqual(names(), ['a: Name of a'])

  inFile(target, "UPDATE tenants SET name = 'Changed by a server' WHERE id = 'a'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`),
    /^The target has changed since the last copy.*--overwrite/,
  )
  assert.deepEqual(names(), ['a: Changed by a server'])
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`, '--overwrite')
  assert.deepEqual(names(), ['a: Name of a'])
})

test('refuses to copy a trial copy over its source', async () => {
  const [path, trial] = [await newDeployment(), newFile()]
  addUsers(path, 'a', 10)
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${trial}`)
  addUsers(path, 'b', 5)
  const before = rowsOf(path)
  assert.match(
    await fails('--from', `sqlite:${trial}`, '--to', `sqlite:${path}`),
    /^The target has tenants of the source but is not a copy of it; --from and --to may be swapped\..*Add --overwrite to discard them\.\n$/,
  )
  assert.deepEqual(rowsOf(path), before)
  assert.deepEqual(dumpFile(path)['schema_copy'], [])
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${trial}`)
  assert.deepEqual(rowsOf(trial), before)

  // Copying back to an unchanged source loses nothing.
  inFile(trial, "UPDATE tenants SET name = 'Changed by a server' WHERE id = 'a'")
  await copies('--from', `sqlite:${trial}`, '--to', `sqlite:${path}`)
  assert.deepEqual(rowsOf(path), rowsOf(trial))
  // An incomplete copy may lack rows, so it cannot be copied back.
  inFile(trial, 'UPDATE schema_copy SET digest = NULL; DELETE FROM users')
  inFile(path, 'DROP TABLE schema_copy')
  assert.match(await fails('--from', `sqlite:${trial}`, '--to', `sqlite:${path}`), /may be swapped/)
  assert.deepEqual(rowsOf(path)['users']?.length, 15)
  await copies('--from', `sqlite:${trial}`, '--to', `sqlite:${path}`, '--overwrite')
  assert.deepEqual(rowsOf(path), rowsOf(trial))
})

test('migrates an older target only when the copy is accepted', async () => {
  const [path, target] = [await newDeployment(), newFile()]
  const lastOf = (file: string) => dumpFile(file)['schema_migrations']?.at(-1)?.['id']
  await (await openSqliteStorage({ path: target, migrations: migrations.slice(0, -1) })).close()
  const before = lastOf(target)
  assert.notEqual(before, lastOf(path))
  inFile(
    target,
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, profile_schema_version, created_at, updated_at)
     VALUES ('c', 'Another', 0, '[]', 1, '1', 1, 1)`,
  )
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`),
    /tenants that the source lacks, such as c\./,
  )
  assert.equal(lastOf(target), before)
  inFile(target, 'DELETE FROM tenants')
  const check = await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`, '--check')
  assert.match(check, /^The target is older than this program/)
  // As after an interrupted copy by the version before.
  inFile(target, "INSERT INTO schema_migrations (id, applied_at) VALUES ('incomplete-copy', 0)")
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  assert.equal(lastOf(target), lastOf(path))
})

test('refuses the database of another program', async () => {
  const [path, target] = [await newDeployment(), newFile()]
  inFile(target, 'CREATE TABLE tenants (number INTEGER)')
  assert.match(await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`), /not Tenantry's\. Choose an empty/)
  inFile(target, 'DROP TABLE tenants')
})

test('refuses one database under two names', async () => {
  const [path, link] = [await newDeployment(), newFile()]
  symlinkSync(path, link)
  const before = rowsOf(path)
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${link}`),
    /^Source and target are the same database\.\n$/m,
  )
  assert.deepEqual(rowsOf(path), before)
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${newFile()}`)
})

test('reports rows of a tenant that does not exist', async () => {
  const path = await newDeployment()
  addUsers(path, 'b', 1)
  inFile(path, "PRAGMA foreign_keys = OFF; DELETE FROM tenants WHERE id = 'b'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${newFile()}`),
    /A row of users is of a tenant that is not there/,
  )
})

test('explains mistakes', async () => {
  const path = await newDeployment()
  assert.match(
    await fails('--from', 'sqlite:none.db', '--to', 'sqlite:x.db'),
    /Database .*none\.db not found\. Specify it/,
  )
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', 'sqlite:none.db', '--check'),
    /Database .*none\.db not found\. Specify it/,
  )
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${path}`),
    /^Source and target are the same database\.\n$/,
  )
  assert.match(await fails('--from', `sqlite:${path}`, '--to', 'mysql://a:b@c/d'), /--to: must be sqlite:/)
  const refused = await fails('--from', `sqlite:${path}`, '--to', 'postgres://me:not-to-be-told@127.0.0.1:1/x')
  assert.match(refused, /No PostgreSQL server is available: 127\.0\.0\.1:1: .*ECONNREFUSED/)
  assert.doesNotMatch(refused, /not-to-be-told/)
  inFile(path, "DELETE FROM schema_migrations WHERE id = '0008-limits'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', 'sqlite:x.db'),
    /older than this program: it lacks the migrations 0008-limits/,
  )
  inFile(path, "INSERT INTO schema_migrations VALUES ('9999-future', 1)")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', 'sqlite:x.db'),
    /newer than this program: it has the migrations 9999-future/,
  )
  assert.equal((await copy('--from', `sqlite:${path}`)).exitCode, 2)
})
