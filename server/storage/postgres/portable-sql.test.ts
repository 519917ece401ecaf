import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import './postgres-storage.ts'
import { migrations } from '../migrations.ts'
import { registeredStatements, type Statement } from '../statement.ts'
import { postgresDialect } from './postgres-schema.ts'

/**
 * What PostgreSQL, Citus, CockroachDB and YugabyteDB all carry: docs/guides/distributed-databases.md. Keywords are in
 * capitals here, functions are what is called.
 */
const words = new Set(
  `SELECT FROM WHERE AND OR NOT IN IS NULL LIKE EXISTS CASE WHEN THEN ELSE END AS CAST TEXT BIGINT ORDER BY DESC LIMIT GROUP
   JOIN LEFT ON UNION ALL INSERT INTO VALUES UPDATE SET DELETE RETURNING CONFLICT DO NOTHING COALESCE COUNT MIN MAX`.split(
    /\s+/,
  ),
)
const functions = new Set(['cast', 'coalesce', 'count', 'min', 'max', 'string_agg'])
const operators = new Set(['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '||'])

/** What single statements need beyond that, and why it is no harm. */
const exceptions: Record<string, { readonly reason: string; readonly beyond: readonly string[] }> = {
  'postgres.enterTenant': { reason: 'sent with row-level security alone', beyond: ['set_config'] },
  'postgres.now': { reason: 'reads no table', beyond: ['EXTRACT', 'EPOCH', 'extract', 'clock_timestamp'] },
  'postgres.otp.issue': { reason: 'of one tenant, so of one machine', beyond: ['WITH'] },
  'postgres.otp.resend': { reason: 'of one tenant, so of one machine', beyond: ['WITH'] },
  'postgres.outbox.claim': { reason: 'the guide says who has it', beyond: ['WITH', 'FOR', 'SKIP', 'LOCKED'] },
}

/** The keywords, functions and operators of a statement that are not in the subset. */
function beyondSubset(sql: string): string[] {
  const plain = sql.replaceAll(/'[^']*'/g, "''")
  const calls = Array.from(plain.matchAll(/\b([A-Za-z_]+)\(/g), ([, name]) => name!.toLowerCase())
  const found = [
    ...(plain.match(/\b[A-Z]{2,}\b/g) ?? []).filter((word) => !words.has(word)),
    ...calls.filter((name) => !functions.has(name)),
    ...(plain.match(/[^\w\s(),.$']+/g) ?? []).filter((operator) => !operators.has(operator)),
  ]
  return [...new Set(found)]
}

/** All but those that SQLite alone runs, and those of tests. */
const statements = registeredStatements().filter(({ name }) => !/^(sqlite|test)\./.test(name))

test('every statement that PostgreSQL runs is of the subset, or says what it needs beyond', () => {
  assert.ok(statements.length > 120)
  for (const { name, sql } of statements) assert.deepEqual(beyondSubset(sql), exceptions[name]?.beyond ?? [], name)
  for (const name of Object.keys(exceptions))
    assert.ok(
      statements.some((each) => each.name === name),
      `${name} is gone`,
    )
})

test('what these engines lack is found', () => {
  const lacking: Record<string, string> = {
    "SELECT nextval('ids')": 'nextval',
    'SELECT pg_advisory_xact_lock($1)': 'pg_advisory_xact_lock',
    'LISTEN outbox': 'LISTEN',
    'SAVEPOINT one': 'SAVEPOINT',
    'CREATE TEMP TABLE claims (id TEXT)': 'TEMP',
    'SELECT id FROM users WHERE id = ANY($1)': 'ANY',
    "SELECT content->>'email' FROM profiles": '->>',
    "SELECT id FROM profiles WHERE content @> '{}'": '@>',
    'SELECT $1::text': '::',
    'SELECT id FROM users FOR UPDATE': 'FOR',
    'WITH RECURSIVE tree AS (SELECT 1) SELECT 1 FROM tree': 'RECURSIVE',
    'SELECT rank() OVER (ORDER BY id) FROM users': 'OVER',
    'SELECT id FROM users CROSS JOIN LATERAL other': 'LATERAL',
    'SELECT NOW()': 'now',
    'SELECT "order" FROM users': '"',
  }
  for (const [sql, word] of Object.entries(lacking)) assert.ok(beyondSubset(sql).includes(word), sql)
})

/** Statements of one tenant that a router cannot see to be so. */
const unrouted: Record<string, string> = {
  'message.listWaiting':
    'every message that waits, of all tenants, is few; the operator’s list of them is rarely asked for',
}

/** Whether the tenant is the first parameter, in a condition that stands by itself: what a machine is chosen by. */
function isRouted({ sql }: Pick<Statement, 'sql'>): boolean {
  // What is one of several alternatives decides nothing.
  const decisive = sql.replaceAll(/\([^()]*\bOR\b[^()]*\)/g, '')
  return /\btenant_id = \$1\b|\btenants\b.*\bid = \$1\b|\(tenant_id,[^)]*\)\s+(VALUES \(\$1,|SELECT \$1,)/s.test(
    decisive,
  )
}

test('every statement of one tenant can be sent to that tenant’s machine', () => {
  const lost = statements.filter((statement) => statement.reach === 'tenant' && !isRouted(statement))
  assert.deepEqual(
    lost.map(({ name }) => name),
    Object.keys(unrouted),
  )
  assert.ok(!isRouted({ sql: 'SELECT id FROM users WHERE (tenant_id = $1 OR id = $2)' }))
  assert.ok(!isRouted({ sql: 'SELECT u.id FROM users u JOIN otps o ON o.user_id = u.id WHERE u.id = $1' }))
})

const schema = migrations.flatMap(({ steps }) => steps.map((step) => step(postgresDialect)))
const schemaWords = new Set(
  `CREATE TABLE INDEX ALTER ADD COLUMN TEXT INTEGER BIGINT NOT NULL PRIMARY KEY UNIQUE CHECK DEFAULT ON WHERE IN OR IS AND
   BETWEEN INSERT INTO VALUES UPDATE SET`.split(/\s+/),
)
/** Keys without the tenant, and why. */
const keysAcross: Record<string, string> = {
  'tenant_keys PRIMARY KEY': 'a key is looked up before its tenant is known',
  'inbox PRIMARY KEY': 'places are of all tenants: the testing channel is one',
}

/** What is wrong with a step of the schema for tables that are spread by tenant. */
function problemsOf(sql: string): string[] {
  const plain = sql.replaceAll(/'[^']*'/g, "''")
  const [, table, ofTenant] = /^CREATE TABLE (\w+) \((tenant_id TEXT NOT NULL)?/.exec(plain) ?? []
  const foreign = (plain.match(/\b[A-Z]{2,}\b/g) ?? []).filter((word) => !schemaWords.has(word))
  const keys = ofTenant === undefined ? [] : [...plain.matchAll(/(PRIMARY KEY|UNIQUE)(?: \(([^)]*)\))?/g)]
  const across = keys.filter(([, , columns = '']) => !columns.split(', ').includes('tenant_id'))
  return [...foreign, ...across.map(([, key]) => `${table} ${key}`)]
}

test('the schema has plain types, no reference, and the tenant in every key, or says why not', () => {
  const problems = schema.flatMap(problemsOf)
  assert.deepEqual(problems, Object.keys(keysAcross))
  assert.equal(schema.filter((sql) => sql.includes('(tenant_id TEXT NOT NULL')).length, 11)
  const wrong: Record<string, string> = {
    'CREATE TABLE a (id SERIAL PRIMARY KEY)': 'SERIAL',
    'CREATE TABLE a (tenant_id TEXT NOT NULL REFERENCES tenants (id))': 'REFERENCES',
    'CREATE TABLE a (at TIMESTAMP NOT NULL)': 'TIMESTAMP',
    'CREATE TABLE a (content JSONB NOT NULL)': 'JSONB',
    'CREATE TABLE a (tenant_id TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (id))': 'a UNIQUE',
    'CREATE TRIGGER t ON a': 'TRIGGER',
    'CREATE INDEX i ON a USING gin (content)': 'USING',
  }
  for (const [sql, problem] of Object.entries(wrong)) assert.ok(problemsOf(sql).includes(problem), sql)
})

test('SQL beside the statements needs none of it either, but for row-level security, which can be off', async () => {
  const lacking =
    /\b(SAVEPOINT|LISTEN|NOTIFY|pg_\w*lock\w*|TEMP(ORARY)?|TRIGGER|SEQUENCE|nextval|LOCK TABLE|POLICY|DO \$\$)/
  const names = (await readdir(import.meta.dirname)).filter(
    (name) => name.endsWith('.ts') && !/-tests?\.|\.test\./.test(name),
  )
  const using: string[] = []
  for (const name of names) {
    const text = await readFile(join(import.meta.dirname, name), 'utf8')
    if (lacking.test(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))) using.push(name)
  }
  assert.deepEqual(using, ['row-level-security.ts'])
})

const guide = () => readFile(join(import.meta.dirname, '../../../docs/guides/distributed-databases.md'), 'utf8')

test('the guide speaks of every statement that no tenant’s machine can answer alone', async () => {
  const text = await guide()
  const across = statements.filter(
    ({ name, reach }) => reach === 'system' && !(name in exceptions && !/outbox/.test(name)),
  )
  const silent = [...across.map(({ name }) => name), ...Object.keys(unrouted)].filter(
    (name) => !text.includes(`\`${name}\``),
  )
  assert.deepEqual(silent, [])
})

test('the guide’s commands for Citus place every table once', async () => {
  const text = await guide()
  const tables = schema.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
  const placed = Array.from(text.matchAll(/create_(?:distributed|reference)_table\('(\w+)'/g), ([, table]) => table!)
  const local = (/^-- On the coordinator: (.+)$/m.exec(text)?.[1] ?? '').split(', ')
  assert.deepEqual([...placed, ...local].sort(), [...tables, 'schema_lock', 'schema_migrations'].sort())
})
