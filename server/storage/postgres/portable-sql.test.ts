import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import './postgres-storage.ts'
import { registeredStatements, type Statement } from '../statement.ts'
import { type PostgresEngine, type PostgresEngineName, postgresEngines } from './postgres-engines.ts'

const engines = Object.entries(postgresEngines) as [PostgresEngineName, PostgresEngine][]

/**
 * What every engine of postgres-engines.ts carries: docs/guides/distributed-databases.md. Keywords are in capitals here,
 * functions are what is called.
 */
const words = new Set(
  `SELECT FROM WHERE AND OR NOT IN IS NULL LIKE EXISTS CASE WHEN THEN ELSE END AS CAST TEXT BIGINT ORDER BY DESC LIMIT GROUP
   JOIN LEFT ON UNION ALL INSERT INTO VALUES UPDATE SET DELETE RETURNING CONFLICT DO NOTHING COALESCE COUNT MIN MAX`.split(
    /\s+/,
  ),
)
const functions = new Set(['cast', 'coalesce', 'count', 'min', 'max', 'string_agg'])
const operators = new Set(['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '||'])

/** What single statements need beyond that. */
const beyond: Record<string, readonly string[]> = {
  'postgres.enterTenant': ['set_config'],
  'postgres.now': ['EXTRACT', 'EPOCH', 'extract', 'clock_timestamp'],
  'postgres.otp.issue': ['WITH'],
  'postgres.otp.resend': ['WITH'],
  'postgres.outbox.claim': ['WITH', 'FOR', 'SKIP', 'LOCKED'],
}

/** Who is sent such a statement: `postgres.now`, which reads no table, everybody. */
const writing = ['postgres.otp.issue', 'postgres.otp.resend']
const sentBeyond: Record<PostgresEngineName, readonly string[]> = {
  postgresql: ['postgres.enterTenant', 'postgres.now', ...writing, 'postgres.outbox.claim'],
  citus: ['postgres.now'],
  cockroachdb: ['postgres.enterTenant', 'postgres.now', ...writing],
  yugabytedb: ['postgres.enterTenant', 'postgres.now', ...writing],
  'aurora-dsql': ['postgres.now'],
}

/** Statements that not every engine is sent: `distributed-engines.test.ts` shows that it is so. */
const sentTo: Record<string, (engine: PostgresEngine) => boolean> = {
  'outbox.claim': () => false, // SQLite's
  'outbox.releaseAll': () => false, // SQLite's: on PostgreSQL other owners live
  'postgres.enterTenant': ({ rowLevelSecurity }) => rowLevelSecurity !== 'impossible',
  'postgres.otp.issue': ({ dataModifyingCtes }) => dataModifyingCtes,
  'postgres.otp.resend': ({ dataModifyingCtes }) => dataModifyingCtes,
  'postgres.outbox.claim': ({ claims }) => claims === 'skipping locked rows',
  'postgres.outbox.due': ({ claims }) => claims === 'one by one',
  'postgres.outbox.take': ({ claims }) => claims === 'one by one',
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

/** All but those of tests. */
const statements = registeredStatements().filter(({ name }) => !name.startsWith('test.'))
const names = (some: readonly Statement[]) => some.map(({ name }) => name)
const sentToAnySpread = statements.filter(({ name }) =>
  engines.some(([engine, traits]) => engine !== 'postgresql' && (sentTo[name]?.(traits) ?? true)),
)

test('every statement is of the subset, or says what it needs beyond', () => {
  assert.ok(statements.length > 120)
  for (const { name, sql } of statements) assert.deepEqual(beyondSubset(sql), beyond[name] ?? [], name)
  for (const name of [...Object.keys(beyond), ...Object.keys(sentTo)]) assert.ok(names(statements).includes(name), name)
})

test('no engine is sent a statement that needs what it lacks', () => {
  for (const [name, engine] of engines) {
    const sent = statements.filter((each) => each.name in beyond && (sentTo[each.name]?.(engine) ?? true))
    assert.deepEqual(names(sent).sort(), sentBeyond[name], name)
  }
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

/** Statements that one tenant's machine cannot answer alone, and why that is no harm. The guide says what they cost. */
const unrouted: Record<string, string> = {
  'caller.tenantOf': 'once a key and process',
  ...each('purge.outbox purge.inbox purge.otps purge.sessions', 'housekeeping, in the background'),
  ...each('purge.used_id_tokens erase.nextTenant', 'housekeeping, in the background'),
  'users.nextFastDigests': 'housekeeping, in the background',
  ...each('directory.list directory.count', 'the operator’s'),
  'directory.touchKey': 'in the background, once a minute for each key in use',
  'message.listWaiting': 'the operator’s; all messages that wait, of all tenants, are few',
  ...each('postgres.outbox.due outbox.nextDue outbox.depth', 'what is due first, of all tenants'),
  ...each('inbox.takePlaces inbox.ofOtp inbox.ofRecipient inbox.ofAll', 'the testing channel is not for production'),
  ...each('inbox.after inbox.placeOf inbox.latestPlace', 'the testing channel is not for production'),
  ...each('limitLog.find limitLog.exchange limitLog.purge', 'limits are nobody’s, and spread by their own id'),
  ...each('signingKey.list signingKey.newest signingKey.add', 'a handful of rows of no tenant'),
  ...each('signingKey.retireAll signingKey.erase', 'a handful of rows of no tenant'),
  ...each('postgres.applied postgres.record postgres.ping postgres.now', 'of no tenant'),
  'postgres.enterTenant': 'reads no table',
}

function each(list: string, reason: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((name) => [name, reason]))
}

/** Whether the tenant is the first parameter, in a condition that stands by itself: what a machine is chosen by. */
function isRouted({ sql }: Pick<Statement, 'sql'>): boolean {
  // What is one of several alternatives decides nothing.
  const decisive = sql.replaceAll(/\([^()]*\bOR\b[^()]*\)/g, '')
  const found =
    /\btenant_id = \$1\b|\btenants\b.*\bid = \$1\b|\((tenant_id|id, name),[^)]*\)\s+(VALUES \(|SELECT )\$1,/s
  return found.test(decisive)
}

/** Whether a query within the query takes its tenant from the row around it: Citus then asks every machine for it. */
const isCorrelated = ({ sql }: Pick<Statement, 'sql'>) =>
  /\(SELECT\b(?:[^()]|\([^()]*\))*\btenant_id = \w+\.(tenant_id|id)\b/.test(sql)

test('every statement can be sent to its tenant’s machine, or says why not', () => {
  const lost = sentToAnySpread.filter((statement) => !isRouted(statement) || isCorrelated(statement))
  assert.deepEqual(names(lost).sort(), Object.keys(unrouted).sort())
  assert.ok(!isRouted({ sql: 'SELECT id FROM users WHERE (tenant_id = $1 OR id = $2)' }))
  assert.ok(!isRouted({ sql: 'SELECT u.id FROM users u JOIN otps o ON o.user_id = u.id WHERE u.id = $1' }))
  const within = 'SELECT (SELECT max(i.id) FROM identities i WHERE i.tenant_id = u.tenant_id) FROM users u'
  assert.ok(isCorrelated({ sql: `${within} WHERE u.tenant_id = $1` }))
})

test('SQL beside the statements needs none of it either, but for row-level security, which can be off', async () => {
  const lacking =
    /\b(SAVEPOINT|LISTEN|NOTIFY|pg_\w*lock\w*|TEMP(ORARY)?|TRIGGER|SEQUENCE|nextval|LOCK TABLE|POLICY|DO \$\$)/
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/-tests?\.|\.test\./.test(name),
  )
  const using: string[] = []
  for (const name of files) {
    const text = await readFile(join(import.meta.dirname, name), 'utf8')
    if (lacking.test(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))) using.push(name)
  }
  assert.deepEqual(using, ['row-level-security.ts'])
})

const guide = () => readFile(join(import.meta.dirname, '../../../docs/guides/distributed-databases.md'), 'utf8')

test('the guide speaks of every statement that no tenant’s machine can answer alone', async () => {
  const text = await guide()
  assert.deepEqual(
    Object.keys(unrouted).filter((name) => !text.includes(`\`${name}\``)),
    [],
  )
})
