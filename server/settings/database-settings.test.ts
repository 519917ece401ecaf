import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './config.ts'

test('sqlite paths: relative, absolute, and with three slashes', () => {
  const database = (url: string) => readConfig({ DATABASE_URL: url }).database
  assert.deepEqual(database('sqlite:data/x.db'), { engine: 'sqlite', path: 'data/x.db' })
  assert.deepEqual(database('sqlite:/var/x.db'), { engine: 'sqlite', path: '/var/x.db' })
  assert.deepEqual(database('sqlite:///var/x.db'), { engine: 'sqlite', path: '/var/x.db' })
  const url = 'postgres://user:secret@one:5432,two/accounts?sslmode=disable'
  const defaults = { engine: 'postgres', url, postgresEngine: 'postgresql', connections: 10, migrate: true }
  assert.deepEqual(database(url), { ...defaults, rowLevelSecurity: true })
  const long = url.replace('postgres:', 'postgresql:')
  assert.deepEqual(database(long), { ...defaults, url: long, rowLevelSecurity: true })
})

test('a DATABASE_URL that is none is told without repeating it: there may be a password in it', () => {
  const rest = '//tenantry:hunter2@db/accounts'
  const url = `postgres:${rest}`
  const dsn = 'host=db user=tenantry password=hunter2'
  for (const written of [
    `mysql:${rest}`,
    `postgresql+asyncpg:${rest}`,
    url.toUpperCase(),
    `"${url}"`,
    `'${url}'`,
    dsn,
  ]) {
    const problems = problemsOf({ DATABASE_URL: written }).join()
    assert.match(problems, /^DATABASE_URL: (?:must be sqlite:.* or postgres:|begins with a quote: write)/)
    assert.doesNotMatch(problems, /hunter2/i)
  }
})

test('row-level security is on or off as the engine has it, or as is set, and refused where there is none', () => {
  const settings = (TENANTRY_DATABASE_ENGINE: string, TENANTRY_ROW_LEVEL_SECURITY = '') => ({
    DATABASE_URL: 'postgres://user:secret@db/accounts',
    ...{ TENANTRY_DATABASE_ENGINE, TENANTRY_ROW_LEVEL_SECURITY },
  })
  const isOn = (...set: Parameters<typeof settings>) => {
    const { database } = readConfig(settings(...set))
    return database.engine === 'postgres' && database.rowLevelSecurity
  }
  const engines = ['postgresql', 'citus', 'cockroachdb', 'yugabytedb', 'aurora-dsql']
  assert.deepEqual(
    engines.map((engine) => isOn(engine)),
    [true, false, false, true, false],
  )
  assert.deepEqual(
    [isOn('postgresql', 'off'), isOn('yugabytedb', 'off'), isOn('cockroachdb', 'on')],
    [false, false, true],
  )
  for (const engine of ['citus', 'aurora-dsql']) {
    const refusal = `TENANTRY_ROW_LEVEL_SECURITY: cannot be on with TENANTRY_DATABASE_ENGINE=${engine}`
    assert.deepEqual(problemsOf(settings(engine, 'on')), [refusal])
  }
  assert.deepEqual(problemsOf(settings('spanner')), [
    `TENANTRY_DATABASE_ENGINE: is "spanner", but must be one of ${engines.join(', ')}`,
  ])
})

test('the database password may come from a file, of PostgreSQL, in place of the one in the URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  try {
    const TENANTRY_DATABASE_PASSWORD_FILE = join(folder, 'password')
    const problems = (DATABASE_URL: string) => problemsOf({ DATABASE_URL, TENANTRY_DATABASE_PASSWORD_FILE })
    const told = (message: string) => [`TENANTRY_DATABASE_PASSWORD_FILE: ${message}`]
    const url = 'postgres://user@db/t'
    assert.deepEqual(problems(url), told(`${TENANTRY_DATABASE_PASSWORD_FILE} cannot be read (ENOENT)`))
    writeFileSync(TENANTRY_DATABASE_PASSWORD_FILE, '\n')
    assert.deepEqual(problems(url), told(`${TENANTRY_DATABASE_PASSWORD_FILE} is empty`))
    writeFileSync(TENANTRY_DATABASE_PASSWORD_FILE, 'secret\n')
    const { database } = readConfig({ DATABASE_URL: url, TENANTRY_DATABASE_PASSWORD_FILE })
    assert.ok(database.engine === 'postgres' && database.passwordFile === TENANTRY_DATABASE_PASSWORD_FILE)
    const twice = told('DATABASE_URL has a password too; remove one of them')
    assert.deepEqual(problems('postgres://user:secret@db/t'), twice)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what is for PostgreSQL alone is refused beside a file: a misspelt DATABASE_URL must not go unnoticed', () => {
  for (const [name, value] of Object.entries({
    TENANTRY_DATABASE_ENGINE: 'citus',
    TENANTRY_DATABASE_PASSWORD_FILE: '/run/secrets/password',
    TENANTRY_DATABASE_CONNECTIONS: '20',
    TENANTRY_ROW_LEVEL_SECURITY: 'off',
    TENANTRY_MIGRATE: 'off',
  })) {
    const refusal = `${name}: is for PostgreSQL alone: set DATABASE_URL to postgres://… too, or unset this`
    assert.deepEqual(problemsOf({ [name]: value, DATABSE_URL: 'postgres://user@db/t' }), [refusal])
  }
})
