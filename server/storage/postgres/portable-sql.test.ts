import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import './postgres-storage.ts'
import { registeredStatements, type Statement } from '../statement.ts'
import { type PostgresEngine, type PostgresEngineName, postgresEngines } from './postgres-engines.ts'

const engines = Object.entries(postgresEngines) as [PostgresEngineName, PostgresEngine][]

/**
 * The SQL that every engine of postgres-engines.ts supports (docs/guides/distributed-databases.md). Keywords are words in
 * capitals; functions are names before a parenthesis.
 */
const words = new Set(
  `SELECT FROM WHERE AND OR NOT IN IS NULL LIKE EXISTS CASE WHEN THEN ELSE END AS CAST TEXT BIGINT ORDER BY DESC LIMIT OFFSET GROUP
   JOIN LEFT ON UNION ALL INSERT INTO VALUES UPDATE SET DELETE RETURNING CONFLICT DO NOTHING COALESCE COUNT MIN MAX SUM`.split(
    /\s+/,
  ),
)
const functions = new Set(['cast', 'coalesce', 'count', 'min', 'max', 'sum', 'string_agg'])
const operators = new Set(['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '||'])

/** Statements that write in WITH. */
const nestingWrites = [
  'postgres.otp.issue',
  'postgres.otp.issueWithEvent',
  'postgres.otp.resend',
  'postgres.otp.resendWithEvent',
  'postgres.otp.verifyWithEvent',
  'postgres.outbox.finishWithEvent',
  'postgres.outbox.finishAndForgetWithEvent',
  'postgres.profile.addWithEvent',
  'postgres.profile.replaceMigratedWithEvent',
  'postgres.profile.replaceWithEvent',
]

/** What single statements use beyond that. */
const beyond: Record<string, readonly string[]> = {
  'postgres.enterTenant': ['set_config'],
  'postgres.now': ['EXTRACT', 'EPOCH', 'extract', 'clock_timestamp'],
  ...Object.fromEntries(nestingWrites.map((name) => [name, ['WITH']])),
  'postgres.eventLog.move':
    'WITH FOR SKIP LOCKED DISTINCT OVER WINDOW PARTITION row_number translate encode convert_to /'.split(' '),
  'postgres.outbox.claim': ['WITH', 'FOR', 'SKIP', 'LOCKED'],
  'postgres.tenant.shareRevision': ['FOR', 'SHARE'],
}

/** Which of these statements each engine is sent. */
const sentBeyond: Record<PostgresEngineName, readonly string[]> = {
  postgresql: [
    'postgres.enterTenant',
    'postgres.now',
    ...nestingWrites,
    'postgres.eventLog.move',
    'postgres.outbox.claim',
    'postgres.tenant.shareRevision',
  ],
  citus: ['postgres.now'],
  cockroachdb: ['postgres.enterTenant', 'postgres.now', ...nestingWrites],
  yugabytedb: ['postgres.enterTenant', 'postgres.now', ...nestingWrites],
  'aurora-dsql': ['postgres.now'],
}

/** Statements that only some engines are sent; `distributed-engines.test.ts` verifies it. */
const sentTo: Record<string, (engine: PostgresEngine) => boolean> = {
  'eventQueue.oldest': ({ claims }) => claims === 'one by one',
  'outbox.claim': () => false, // SQLite's
  'outbox.releaseAll': () => false, // SQLite's: on PostgreSQL the other owners are still running
  'postgres.enterTenant': ({ rowLevelSecurity }) => rowLevelSecurity !== 'impossible',
  ...Object.fromEntries(
    nestingWrites.map((name) => [name, ({ dataModifyingCtes }: PostgresEngine) => dataModifyingCtes]),
  ),
  'postgres.eventLog.move': ({ claims }) => claims === 'skipping locked rows',
  'postgres.outbox.claim': ({ claims }) => claims === 'skipping locked rows',
  'postgres.outbox.due': ({ claims }) => claims === 'one by one',
  'postgres.outbox.take': ({ claims }) => claims === 'one by one',
  'postgres.tenant.lockRevision': ({ sharedRowLocks }) => !sharedRowLocks,
  'postgres.tenant.shareRevision': ({ sharedRowLocks }) => sharedRowLocks,
}

/** The keywords, functions and operators of a statement that are outside the subset. */
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

/** All statements except those of tests and of SQLite. */
const statements = registeredStatements().filter(({ name }) => !/^(test|sqlite)\./.test(name))
const names = (some: readonly Statement[]) => some.map(({ name }) => name)
const sentToAnyDistributed = statements.filter(({ name }) =>
  engines.some(([engine, traits]) => engine !== 'postgresql' && (sentTo[name]?.(traits) ?? true)),
)

test('every statement is within the subset, or declares what it uses beyond it', () => {
  assert.ok(statements.length > 120)
  for (const { name, sql } of statements) assert.deepEqual(beyondSubset(sql), beyond[name] ?? [], name)
  for (const name of [...Object.keys(beyond), ...Object.keys(sentTo)]) assert.ok(names(statements).includes(name), name)
})

test('no engine is sent a statement that it does not support', () => {
  for (const [name, engine] of engines) {
    const sent = statements.filter((each) => each.name in beyond && (sentTo[each.name]?.(engine) ?? true))
    assert.deepEqual(names(sent).sort(), sentBeyond[name].toSorted(), name)
  }
})

test('detects SQL that these engines do not support', () => {
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

/** Statements that more than one machine has to answer, and why that is acceptable. The guide gives their cost. */
const unrouted: Record<string, string> = {
  'caller.tenantOf': 'once for each key and process',
  ...each('purge.outbox purge.otps purge.sessions', 'housekeeping, in the background'),
  ...each('purge.used_id_tokens purge.idempotency_keys erase.nextTenant', 'housekeeping, in the background'),
  ...each('users.nextFastDigests purge.tenant_counts purge.sms_spending count.due', 'housekeeping, in the background'),
  'count.addMissingTotals': 'at startup',
  ...each('eventErasure.list eventQueue.oldestAt eventQueue.newest', 'housekeeping, in the background'),
  ...each('directory.list directory.count count.sum', 'for operators'),
  ...each('directory.newestBy_id directory.newestBy_search_name', 'for operators'),
  ...each('directory.oldestBy_id directory.oldestBy_search_name', 'for operators'),
  'directory.names': 'once per process',
  'directory.touchKey': 'in the background, once a minute for each key in use',
  ...each('message.listWaiting message.countWaiting', 'for operators; few messages wait at a time'),
  ...each('postgres.outbox.due outbox.depth', 'selects due messages of all tenants'),
  'eventHead.list': 'once an hour, where the log is anchored',
  ...each('eventQueue.oldest eventQueue.oldestLogs eventQueue.depth', 'selects the oldest queued events of all logs'),
  ...each('inbox.takePlaces inbox.ofOtp inbox.ofRecipient inbox.ofAll', 'the testing channel is not for production'),
  ...each(
    'inbox.after inbox.placeOf inbox.latestPlace message.clearPosted',
    'the testing channel is not for production',
  ),
  ...each(
    'limitLog.find limitLog.exchange limitLog.purge',
    'limits belong to no tenant and are distributed by their own id',
  ),
  ...each('signingKey.list signingKey.newest signingKey.add', 'few rows, which belong to no tenant'),
  ...each('signingKey.retireAll signingKey.erase', 'few rows, which belong to no tenant'),
  ...each('checkpointKey.list checkpointKey.add', 'few rows, which belong to no tenant'),
  ...each('operatorSession.add operatorSession.find operatorSession.touch', 'belongs to no tenant'),
  ...each('operatorSession.end operatorSession.endAllOf purge.operator_sessions', 'belongs to no tenant'),
  ...each('operator.find operator.list operator.update', 'few rows, which belong to no tenant'),
  ...each('operator.lock operator.rotate operator.revoke', 'few rows, which belong to no tenant'),
  ...each('operator.listLasting operator.lockLasting operator.touch', 'few rows, which belong to no tenant'),
  ...each('postgres.applied postgres.record postgres.ping postgres.now', 'belongs to no tenant'),
  'postgres.enterTenant': 'reads no table',
}

function each(list: string, reason: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((name) => [name, reason]))
}

/** Whether a condition on the tenant selects the machine: `tenant_id = $1`, not one of several alternatives or in a value. */
function isRouted({ sql }: Pick<Statement, 'sql'>): boolean {
  const conditions = sql.replaceAll(/\([^()]*\bOR\b[^()]*\)|\bCASE\b.*?\bEND\b/gs, '')
  const found =
    /\btenant_id = \$1\b|\btenants\b.*\bid = \$1\b|\((tenant_id|id, name),[^)]*\)\s+(VALUES \(|SELECT )\$1,/s
  return found.test(conditions)
}

/** Whether a subquery takes its tenant from the outer row. Citus then sends it to every machine. */
const isCorrelated = ({ sql }: Pick<Statement, 'sql'>) =>
  /\(SELECT\b(?:[^()]|\([^()]*\))*\btenant_id = \w+\.(tenant_id|id)\b/.test(sql)

test('every statement can be routed to its tenant’s machine, or declares why not', () => {
  const notRouted = sentToAnyDistributed.filter((statement) => !isRouted(statement) || isCorrelated(statement))
  assert.deepEqual(names(notRouted).sort(), Object.keys(unrouted).sort())
  assert.ok(!isRouted({ sql: 'SELECT id FROM users WHERE (tenant_id = $1 OR id = $2)' }))
  assert.ok(!isRouted({ sql: 'SELECT u.id FROM users u JOIN otps o ON o.user_id = u.id WHERE u.id = $1' }))
  const within = 'SELECT (SELECT max(i.id) FROM identities i WHERE i.tenant_id = u.tenant_id) FROM users u'
  assert.ok(isCorrelated({ sql: `${within} WHERE u.tenant_id = $1` }))
})

test('SQL outside registered statements is portable too, except for row-level security, which can be off', async () => {
  const lacking =
    /\b(SAVEPOINT|LISTEN|NOTIFY|pg_\w*lock\w*|TEMP(ORARY)?\b|TRIGGER|SEQUENCE|nextval|LOCK TABLE|POLICY|DO \$\$)/
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

test('the guide lists every statement that is not routed to one machine', async () => {
  const text = await guide()
  assert.deepEqual(
    Object.keys(unrouted).filter((name) => !text.includes(`\`${name}\``)),
    [],
  )
})
