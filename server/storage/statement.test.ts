import assert from 'node:assert/strict'
import { test } from 'node:test'
import './sqlite/sqlite-storage.ts'
import { migrations } from './migrations.ts'
import { postgresDialect } from './postgres/postgres-engines.ts'
import { registeredStatements, statement } from './statement.ts'

/** Words that SQLite, PostgreSQL and distributed databases with its protocol do not all support in the same way. */
const unportable =
  /\b(INSERT OR|REPLACE INTO|IFNULL|ROWID|GLOB|ILIKE|PRAGMA|AUTOINCREMENT|SERIAL|NOW\(|DATETIME|STRFTIME|JULIANDAY|JSON\w*\(|FOR UPDATE|SKIP LOCKED|RANDOM|INSTR|GROUP_CONCAT|TRIGGER|LAST_INSERT)|::|"/i

const tenantTables = migrations
  .flatMap(({ steps }) => steps)
  .map((step) => step(postgresDialect))
  .flatMap((sql) => /CREATE TABLE (\w+) \(tenant_id/.exec(sql)?.[1] ?? [])

test('rejects a duplicate name and parameters other than $1..$n', () => {
  statement('test.taken', 'SELECT $1, $2, $1')
  assert.throws(() => statement('test.taken', 'SELECT 1'), /duplicate statement test\.taken/)
  assert.throws(() => statement('test.gap', 'SELECT $1, $3'), /test\.gap: missing parameter \$2/)
  assert.throws(() => statement('test.question', 'SELECT ?'), /test\.question/)
  assert.throws(() => statement('test.name', 'SELECT :id'), /test\.name/)
})

test('every statement of the stores is portable SQL', () => {
  const stores = registeredStatements().filter(({ name }) => !name.startsWith('sqlite.') && !name.startsWith('test.'))
  assert.ok(stores.length > 60)
  for (const { name, sql } of stores) assert.doesNotMatch(sql, unportable, name)
})

/** The queries of a statement, each without its subqueries; other parentheses become brackets. */
function queriesOf(sql: string): string[] {
  const within: string[] = []
  let rest = sql
  while (rest.includes('(')) {
    rest = rest.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => {
      if (!inner.startsWith('SELECT')) return `[${inner}]`
      within.push(inner)
      return '[query]'
    })
  }
  return [...within, ...rest.split(/\bUNION ALL\b/)]
}

const binding = /\btenant_id = (\$1|\w+\.(tenant_id|id))/g
const boundInsert = /INSERT INTO \w+ \[tenant_id,[^\]]*\]\s+(VALUES \[\$1,|SELECT (tenant_id|\$1),)/g
const ownRow = /\b(FROM|UPDATE) tenants\b.*\bid = \$1/gs

test('a statement of one tenant’s stores names the tenant for every table in it', () => {
  assert.ok(tenantTables.length >= 22, 'CREATE TABLE is not recognised')
  let touched = 0
  for (const { name, sql, reach } of registeredStatements()) {
    if (reach === 'system' || name.startsWith('test.')) continue
    for (const query of queriesOf(sql)) {
      const tables = Array.from(query.matchAll(/\b(?:FROM|JOIN|(?<!DO )UPDATE|INTO) (\w+)/g), ([, table]) => table!)
      for (const table of tables) assert.ok(table === 'tenants' || tenantTables.includes(table), `${name}: ${table}`)
      const bound = [binding, boundInsert, ownRow].flatMap((form) => query.match(form) ?? [])
      assert.equal(bound.length, tables.length, `${name}: ${query}`)
      touched += tables.length
    }
  }
  assert.ok(touched > 100, `${touched} tables are touched`)
})

/** Keys that do not begin with the tenant, and why. */
const keysLed: Record<string, string> = {
  'tenant_keys: id, tenant_id': 'a key is looked up before its tenant is known',
  'outbox: id, tenant_id': 'purged in the order of the ids',
  'inbox: place, tenant_id': 'read in the order of the places across tenants',
  'event_queue: id, tenant_id': 'sealed in the order of the ids across tenants',
  'event_heads: tenant_id': 'one row for each log',
  'tenant_totals: tenant_id': 'one row for each tenant',
}

test('every key and unique constraint of a tenants’ table begins with the tenant, or is listed with the reason', () => {
  const led: string[] = []
  for (const step of migrations.flatMap(({ steps }) => steps)) {
    const sql = step(postgresDialect)
    const table = /CREATE TABLE (\w+) \(tenant_id/.exec(sql)?.[1]
    if (table === undefined) continue
    const keys = Array.from(sql.matchAll(/(?:PRIMARY KEY|UNIQUE)(?: \(([^)]*)\))?/g), ([, columns]) => columns)
    assert.ok(keys.length > 0)
    led.push(...keys.filter((columns) => !columns?.startsWith('tenant_id,')).map((columns) => `${table}: ${columns}`))
  }
  assert.deepEqual(led, Object.keys(keysLed))
})
