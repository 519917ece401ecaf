import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsers, copies, copy, fails, inFile, newDeployment, newFile, rowsOf } from './test-copy-ground.ts'
import { type } from './test-terminal.ts'

test('a row that is not what was copied is found, by the copy itself and by a check later', async () => {
  const [path, target, forger] = [await newDeployment(), newFile(), newFile()]
  addUsers(path, 'a', 10)
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  inFile(target, "UPDATE users SET guest = 1 WHERE id = 'u3'; DELETE FROM tenants WHERE id = 'b'")
  const before = rowsOf(target)
  assert.equal(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`, '--check'),
    'Source and target differ:\n  tenants: 2 rows at the source, 1 at the target\n  users: 10 rows on both sides, but not the same\n',
  )
  assert.deepEqual(rowsOf(target), before)

  await type(['migrate', '--database', `sqlite:${forger}`], {})
  const forge = "UPDATE users SET guest = 1 WHERE id = 'u4'"
  inFile(forger, `CREATE TRIGGER forge AFTER INSERT ON users WHEN NEW.id = 'u4' BEGIN ${forge}; END`)
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${forger}`),
    /Source and target differ:\n {2}users: 10 rows on both sides, but not the same\n$/,
  )
})

test('what would be lost is not overwritten', async () => {
  const [path, other, target] = [await newDeployment(), await newDeployment(), newFile()]
  const names = () => rowsOf(target)['tenants']?.map(({ id, name }) => `${id}: ${name}`)
  inFile(other, "UPDATE tenants SET id = 'c' WHERE id = 'b'; UPDATE schema_migrations SET applied_at = 1")
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  assert.match(
    await fails('--from', `sqlite:${other}`, '--to', `sqlite:${target}`),
    /^The target has tenants that the source lacks, b for one: name another target, or empty this one\.\n$/,
  )
  assert.deepEqual(names(), ['a: Name of a', 'b: Name of b'])

  // A tenant that was deleted at the source is no reason: the copy brought it.
  inFile(path, "DELETE FROM tenants WHERE id = 'b'")
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  assert.deepEqual(names(), ['a: Name of a'])

  inFile(target, "UPDATE tenants SET name = 'Changed by a server' WHERE id = 'a'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${target}`),
    /^The target was written to since it was copied to.*--overwrite/,
  )
  assert.deepEqual(names(), ['a: Changed by a server'])
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`, '--overwrite')
  assert.deepEqual(names(), ['a: Name of a'])
})

test('rows of a tenant that is not there are told of', async () => {
  const path = await newDeployment()
  addUsers(path, 'b', 1)
  inFile(path, "PRAGMA foreign_keys = OFF; DELETE FROM tenants WHERE id = 'b'")
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${newFile()}`),
    /A row of users is of a tenant that is not there/,
  )
})

test('mistakes are answered in plain words', async () => {
  const path = await newDeployment()
  assert.match(
    await fails('--from', 'sqlite:none.db', '--to', 'sqlite:x.db'),
    /There is no database .*none\.db: name it/,
  )
  assert.match(
    await fails('--from', `sqlite:${path}`, '--to', `sqlite:${path}`),
    /^Source and target are the same database\.\n$/,
  )
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
