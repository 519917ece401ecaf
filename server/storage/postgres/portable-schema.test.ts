import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import './postgres-storage.ts'
import { migrations } from '../migrations.ts'
import { type SchemaDialect, stepsOn } from '../schema-steps.ts'
import { registeredStatements } from '../statement.ts'
import { postgresDialect, postgresEngines } from './postgres-engines.ts'

const stepsIn = (dialect: SchemaDialect) => migrations.flatMap((migration) => stepsOn(dialect, migration))
const schema = stepsIn(postgresDialect)
const tables = schema.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
const tablesOfTenants = schema.flatMap(
  (sql) => /^CREATE TABLE (\w+) \(tenant_id TEXT(?: COLLATE "C")? NOT NULL\b/.exec(sql)?.[1] ?? [],
)

const words = new Set(
  `CREATE TABLE INDEX ALTER ADD COLUMN TEXT INTEGER BIGINT NOT NULL PRIMARY KEY UNIQUE CHECK DEFAULT ON WHERE IN OR IS AND
   BETWEEN INSERT INTO VALUES UPDATE SET DELETE FROM SELECT EXISTS COALESCE DROP IF`.split(/\s+/),
)
/** Words that an engine needs beyond these. */
const extra: Record<string, readonly string[]> = {
  postgresql: ['COLLATE'],
  citus: ['COLLATE'],
  'aurora-dsql': ['ASYNC'],
}

/** What a schema step uses that tables distributed by tenant do not support. */
function problemsOf(sql: string, also: readonly string[] = []): string[] {
  const plain = sql.replaceAll(/'[^']*'/g, "''")
  const [, table, ofTenant] = /^CREATE TABLE (\w+) \((tenant_id TEXT(?: COLLATE "C")? NOT NULL)?/.exec(plain) ?? []
  const foreign = (plain.match(/\b[A-Z]{2,}\b/g) ?? []).filter((word) => !words.has(word) && !also.includes(word))
  const keys = ofTenant === undefined ? [] : [...plain.matchAll(/(PRIMARY KEY|UNIQUE)(?: \(([^)]*)\))?/g)]
  const across = keys.filter(([, , columns = '']) => !columns.split(', ').includes('tenant_id'))
  return [...foreign, ...across.map(([, key]) => `${table} ${key}`)]
}

test('on every engine the schema has plain types, no foreign keys, and the tenant in every key of a tenant’s table', () => {
  assert.ok(tablesOfTenants.length > 20)
  const withTenant = schema.filter((sql) => /^CREATE TABLE .*\btenant_id\b/s.test(sql))
  assert.deepEqual(
    withTenant.map((sql) => /^CREATE TABLE (\w+)/.exec(sql)![1]),
    tablesOfTenants,
    'declare a table of tenants with TENANT as its first column',
  )
  for (const [name, { dialect }] of Object.entries(postgresEngines)) {
    assert.deepEqual(
      stepsIn(dialect).flatMap((sql) => problemsOf(sql, extra[name])),
      [],
      name,
    )
  }
  const wrong: Record<string, string> = {
    'CREATE TABLE a (id SERIAL PRIMARY KEY)': 'SERIAL',
    'CREATE TABLE a (tenant_id TEXT NOT NULL REFERENCES tenants (id))': 'REFERENCES',
    'CREATE TABLE a (at TIMESTAMP NOT NULL)': 'TIMESTAMP',
    'CREATE TABLE a (content JSONB NOT NULL)': 'JSONB',
    'CREATE TABLE a (tenant_id TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (id))': 'a UNIQUE',
    'CREATE TRIGGER t ON a': 'TRIGGER',
    'CREATE INDEX i ON a USING gin (content)': 'USING',
    'CREATE INDEX ASYNC i ON a (id)': 'ASYNC',
  }
  for (const [sql, problem] of Object.entries(wrong)) assert.ok(problemsOf(sql).includes(problem), sql)
})

test('on Aurora DSQL indexes are asynchronous and not partial, and added columns have no constraints', () => {
  const steps = stepsIn(postgresEngines['aurora-dsql'].dialect)
  assert.equal(steps.length, schema.length)
  for (const sql of steps) {
    if (sql.startsWith('ALTER')) assert.match(sql, /^ALTER TABLE \w+ ADD COLUMN \w+ (TEXT|BIGINT)$/)
    else if (sql.startsWith('DROP')) assert.match(sql, /^DROP INDEX IF EXISTS \w+$/)
    else if (/\bINDEX\b/.test(sql))
      assert.match(sql, /^CREATE INDEX ASYNC IF NOT EXISTS \w+ ON \w+ \(\w+(, \w+){0,7}\)$/)
    else assert.match(sql, /^(CREATE TABLE|INSERT|UPDATE|DELETE) /)
  }
  for (const table of tables) {
    assert.ok(steps.filter((sql) => sql.includes(`ON ${table} (`)).length <= 24, `${table}: 24 indexes at most`)
  }
})

test('a column that may be added without its default is filled by a step and named in every INSERT', () => {
  const bare = stepsIn(postgresEngines['aurora-dsql'].dialect)
  const defaulted = schema.filter((sql) => /^ALTER .* DEFAULT /.test(sql))
  assert.equal(defaulted.length, 3)
  for (const sql of defaulted) {
    const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql)!
    assert.ok(
      bare.some((step) => step.startsWith(`UPDATE ${table} SET ${column} = `)),
      `${table}.${column} is filled`,
    )
    const inserts = registeredStatements().filter((statement) => statement.sql.includes(`INSERT INTO ${table} `))
    assert.ok(inserts.length > 0)
    for (const insert of inserts) assert.match(insert.sql, new RegExp(`\\b${column}\\b`), insert.name)
  }
})

test('the guide’s commands for Citus distribute every tenant table by tenant and place every other table', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/distributed-databases.md'), 'utf8')
  const placed = Array.from(guide.matchAll(/^SELECT create_\w+_table\('(\w+)'(.*)\);$/gm), ([, table, how]) => [
    table,
    how,
  ])
  const distributed = Object.fromEntries(placed)
  const local = (/^-- On the coordinator: (.+)$/m.exec(guide)?.[1] ?? '').split(', ')
  const every = [...placed.map(([table]) => table!), ...local]
  assert.deepEqual(
    every.sort(),
    [...tables, 'schema_migrations'].sort(),
    'place each table in docs/guides/distributed-databases.md',
  )
  const together = Object.fromEntries(
    tablesOfTenants.map((table) => [table, ", 'tenant_id', colocate_with => 'tenants'"]),
  )
  assert.deepEqual(distributed, {
    tenants: ", 'id', colocate_with => 'none'",
    ...together,
    limit_logs: ", 'id', colocate_with => 'none'",
  })
})
