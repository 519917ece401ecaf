import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './read-config.ts'

test('parses relative and absolute SQLite paths, and PostgreSQL URLs', () => {
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

test('does not quote an invalid DATABASE_URL, which may contain a password', () => {
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
    assert.match(problems, /^DATABASE_URL: (?:must be sqlite:.* or postgres:|must not be quoted)/)
    assert.doesNotMatch(problems, /hunter2/i)
  }
})

test('sets row-level security as configured or by engine, and rejects it where unsupported', () => {
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
    const refusal = `TENANTRY_ROW_LEVEL_SECURITY: "on" is not supported by TENANTRY_DATABASE_ENGINE=${engine}`
    assert.deepEqual(problemsOf(settings(engine, 'on')), [refusal])
  }
  assert.deepEqual(problemsOf(settings('spanner')), [
    `TENANTRY_DATABASE_ENGINE: "spanner" is not valid; allowed: ${engines.join(', ')}`,
  ])
})

test('reads the PostgreSQL password from a file instead of the URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  try {
    const TENANTRY_DATABASE_PASSWORD_FILE = join(folder, 'password')
    const problems = (DATABASE_URL: string) => problemsOf({ DATABASE_URL, TENANTRY_DATABASE_PASSWORD_FILE })
    const problem = (message: string) => [`TENANTRY_DATABASE_PASSWORD_FILE: ${message}`]
    const url = 'postgres://user@db/t'
    assert.deepEqual(problems(url), problem(`${TENANTRY_DATABASE_PASSWORD_FILE} cannot be read (ENOENT)`))
    writeFileSync(TENANTRY_DATABASE_PASSWORD_FILE, '\n')
    assert.deepEqual(problems(url), problem(`${TENANTRY_DATABASE_PASSWORD_FILE} is empty`))
    writeFileSync(TENANTRY_DATABASE_PASSWORD_FILE, 'secret\n')
    const { database } = readConfig({ DATABASE_URL: url, TENANTRY_DATABASE_PASSWORD_FILE })
    assert.ok(database.engine === 'postgres' && database.passwordFile === TENANTRY_DATABASE_PASSWORD_FILE)
    const twice = problem('DATABASE_URL has a password too; remove one of them')
    assert.deepEqual(problems('postgres://user:secret@db/t'), twice)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('rejects PostgreSQL settings beside a SQLite file', () => {
  for (const [name, value] of Object.entries({
    TENANTRY_DATABASE_ENGINE: 'citus',
    TENANTRY_DATABASE_PASSWORD_FILE: '/run/secrets/password',
    TENANTRY_DATABASE_CONNECTIONS: '20',
    TENANTRY_ROW_LEVEL_SECURITY: 'off',
    TENANTRY_MIGRATE: 'off',
  })) {
    const refusal = `${name}: applies to PostgreSQL only; set DATABASE_URL to postgres://…, or unset this`
    assert.deepEqual(problemsOf({ [name]: value, DATABSE_URL: 'postgres://user@db/t' }), [refusal])
  }
})
