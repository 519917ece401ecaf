import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from '../../test/support/databases/postgres-server.ts'
import { type } from '../terminal/terminal.testkit.ts'
import { inFile, newFile } from './copy.testkit.ts'

test('migrates once on both engines, even when run several times at once', async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase('en')
  const env = { DATABASE_URL: url, TENANTRY_MIGRATE: 'off' }
  const all = await Promise.all([1, 2, 3].map(() => type(['migrate', '--json'], { env })))
  assert.deepEqual(
    all.map(({ exitCode, errors }) => `${exitCode} ${errors}`),
    ['0 ', '0 ', '0 '],
  )
  assert.match(JSON.parse(all[0]!.output).database, /^postgres:\/\/postgres@127\.0\.0\.1:\d+\/tenantry_test_/)
  assert.ok(all.some(({ output }) => JSON.parse(output).applied.includes('0001-tenants')))
  const again = await type(['migrate'], { env })
  assert.match(again.output, / is up to date at \d{4}-[\w-]+\.\n$/)

  const path = newFile()
  const first = await type(['migrate', '--database', `sqlite:${path}`], {})
  assert.match(first.output, /^Migrated .*\.db from an empty database to \d{4}-[\w-]+: 0001-tenants, 0002-accounts, /)
  inFile(path, "INSERT INTO schema_migrations VALUES ('9999-future', 1)")
  const newer = await type(['migrate', '--database', `sqlite:${path}`], {})
  assert.equal(newer.exitCode, 1)
  assert.match(newer.errors, /newer than this program: unknown migrations 9999-future/)
  assert.match((await type(['migrate', '--database', 'nowhere'], {})).errors, /^--database: must be /)
})

test('leaves nothing but the database file', async () => {
  const path = newFile()
  const left = () => readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}-`))
  for (const what of ['new', 'up to date']) {
    assert.equal((await type(['migrate', '--database', `sqlite:${path}`], {})).exitCode, 0)
    assert.deepEqual(left(), [], what)
  }
})
