import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { openTestStorage } from './open-storage.testkit.ts'
import { sqliteText } from './sqlite-text.ts'

/** Statements that may scan a table, and why that is acceptable. */
const mayScan = new Map([
  ['erase.event_queue', 'the queue has no index by tenant, and the relay keeps it short'],
  ['operator.listLasting', 'a table of a few rows'],
  ['operator.lockLasting', 'a table of a few rows'],
  ['checkpointKey.list', 'a table of a few rows'],
  ['sqlite.eventQueue.depth', 'reads the first rows of the queue up to its limit'],
  ['sqlite.eventQueue.newest', 'reads the last rows of the queue up to its limit'],
  ['sqlite.eventQueue.oldest', 'reads the first rows of the queue up to its limit'],
  ['sqlite.eventQueue.oldestAt', 'reads the first row of the queue'],
  ['sqlite.eventQueue.oldestLogs', 'only after sealing failed; reads the first rows of the queue up to its limit'],
  ['sqlite.eventQueue.oldestOfLog', 'only while events wait for long; the queue has no index by tenant'],
  ['message.countFailed', 'reads the last entries of an index up to its limit'],
  ['message.countWaiting', 'reads the first entries of an index up to its limit'],
  ['outbox.depth', 'reads the first entries of an index up to its limit'],
  ['profile.countUpTo', 'reads the first entries of an index up to its limit'],
  ['purge.outbox', 'reads the first thousand entries of an index'],
  ['purge.sms_spending', 'has the counts of two days'],
  ['schema.applied', 'a table of a few rows'],
  ['signingKey.list', 'a table of a few rows'],
  ['signingKey.newest', 'reads the last entry of an index'],
  ['signingKey.retireAll', 'a table of a few rows'],
  ['sqlite.latestTime', 'once at startup: every tenant key, and the last entry of two indexes'],
  ['sqlite.ping', 'a table of a few rows'],
  ['sqlite.profile.countNext', 'counts what it reads in an index up to its limit'],
  ['sqlite.takeSnapshot', 'a table of a few rows'],
])

/** Statements that may read all of a tenant's rows in a table, besides those that erase it. */
const mayReadWholeTenant = new Map([
  ['count.addTotals', 'a tenant has one row'],
  ['count.claim', 'a tenant has one row'],
  ['count.replaceTotals', 'a tenant has one row'],
  ['count.sum', 'a tenant has one row; reads that of each, for the overview of the deployment'],
  ['count.totals', 'a tenant has one row'],
  ['directory.newestBy_id', 'the row of totals of each tenant in the list'],
  ['directory.newestBy_search_name', 'the row of totals of each tenant in the list'],
  ['directory.oldestBy_id', 'the row of totals of each tenant in the list'],
  ['directory.oldestBy_search_name', 'the row of totals of each tenant in the list'],
  ['eventLog.advance', 'a tenant has one head'],
  ['eventLog.dropUnusedHead', 'a tenant has one head'],
  ['eventLog.head', 'a row of each tenant'],
  ['eventLog.lockHead', 'a tenant has one head'],
  ['eventLog.outside', 'SQLite knows that a NOT NULL column has no null, unless the schema was changed'],
  ['inbox.ofTenant', 'reads the last entries of an index up to its limit'],
  ['tenant.lastOrdinal', 'reads the last entry of an index'],
  ['user.findByEmailOrFirst', 'reads the first entry of an index'],
])

/** SQLite has others instead. */
const ofOtherEngines = /^(eventQueue\.|profile\.countByVersion$)/

/** The query plans of all statements that read or write rows. */
async function queryPlans(): Promise<{ name: string; steps: string[] }[]> {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const plans = registeredStatements()
    .filter(({ name, sql }) => /^(SELECT|INSERT|UPDATE|DELETE)/.test(sql) && !ofOtherEngines.test(name))
    .map(({ name, sql }) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`).all()
      return { name, steps: rows.map(({ detail }) => String(detail)) }
    })
  database.close()
  await close()
  return plans
}

test('no statement scans a table', async () => {
  // `first_rows` is what `firstRows` reads, up to its limit.
  const scan = /^SCAN (?!CONSTANT ROW|first_rows$)/
  const scanning = (await queryPlans()).filter(({ steps }) => steps.some((step) => scan.test(step)))
  const advice = 'give each statement an index, or list it in mayScan with the reason'
  assert.deepEqual(scanning.map(({ name }) => name).sort(), [...mayScan.keys()].sort(), advice)
})

test('no statement reads all of a tenant’s rows in a table, or builds a temporary index', async () => {
  const reading = (await queryPlans()).filter(({ steps }) =>
    steps.some((step) => /\(tenant_id=\?\)|AUTOMATIC/.test(step)),
  )
  const names = reading.map(({ name }) => name).filter((name) => !name.startsWith('erase.'))
  const advice = 'give each statement an index, or list it in mayReadWholeTenant with the reason'
  assert.deepEqual(names.sort(), [...mayReadWholeTenant.keys()], advice)
})

test('counts profiles by version in pages of an index that contains all it reads', async () => {
  const counting = (await queryPlans()).filter(({ name }) => name.startsWith('sqlite.profile.'))
  const index = 'SEARCH profiles USING COVERING INDEX profiles_by_version'
  const steps = counting.map(({ steps }) => steps.filter((step) => step.includes('profiles_by_version')))
  assert.deepEqual(steps, [
    [`${index} (tenant_id=? AND schema_version>?)`],
    [`${index} (tenant_id=? AND schema_version=? AND rowid>?)`],
  ])
})

test('reads queued events in the order of the queue, without sorting them', async () => {
  const reading = (await queryPlans()).filter(({ name }) => /^sqlite\.eventQueue\.(?!oldestLogs)/.test(name))
  assert.ok(reading.length > 5)
  for (const { name, steps } of reading)
    assert.deepEqual(
      steps.filter((step) => step.includes('TEMP B-TREE')),
      [],
      name,
    )
})

test('counts messages to be sent in an index that contains all it reads', async () => {
  const plan = (await queryPlans()).find(({ name }) => name === 'outbox.depth')
  const reading = plan?.steps.filter((step) => step.includes('outbox'))
  assert.deepEqual(reading, ['SEARCH outbox USING COVERING INDEX outbox_waiting (due_at>?)'])
})

test('lists messages in sections of an index', async () => {
  const lists = (await queryPlans()).filter(({ name }) => /^message\.(list|listUnsent|place|placeUnsent)$/.test(name))
  const steps = Object.fromEntries(lists.map(({ name, steps }) => [name, steps]))
  assert.deepEqual(steps, {
    'message.list': ['SEARCH outbox USING INDEX outbox_of_tenant (tenant_id=? AND id>? AND id<?)'],
    'message.listUnsent': ['SEARCH outbox USING INDEX outbox_unsent (tenant_id=? AND id>? AND id<?)'],
    'message.place': ['SEARCH outbox USING COVERING INDEX outbox_of_tenant (tenant_id=? AND id<?)'],
    'message.placeUnsent': ['SEARCH outbox USING INDEX outbox_unsent (tenant_id=? AND id<?)'],
  })
})

test('counts messages in small indexes', async () => {
  const plans = (await queryPlans()).filter(({ name }) => /^message\.count/.test(name))
  const reading = plans.map(({ steps }) => steps.filter((step) => step.includes('outbox')))
  assert.deepEqual(reading, [
    ['SEARCH outbox USING INDEX outbox_waiting (due_at>?)'],
    ['SEARCH outbox USING INDEX outbox_unsent (tenant_id=? AND id>?)'],
  ])
})

test('reads events in the order of an index, whatever the filters', async () => {
  const lists = (await queryPlans()).filter(({ name }) =>
    /^eventLog\.(list|place|between|head$|batches|firstBatch|lastBatch)/.test(name),
  )
  assert.ok(lists.length > 10)
  for (const { name, steps } of lists) {
    assert.equal(steps.length, 1, name)
    assert.match(steps[0]!, /^SEARCH (events|event_batches|event_heads) USING (COVERING )?INDEX /, name)
  }
  for (const [of, column] of Object.entries({ Subject: 'subject', Actor: 'actor' })) {
    const ofOne = lists.filter(({ name }) => name.includes(`Of${of}`)).flatMap(({ steps }) => steps)
    for (const step of ofOne)
      assert.match(step, new RegExp(`events_of_${column} \\(tenant_id=\\? AND .*\\(${column}_id,id\\)>`), step)
  }
})

test('finds the events of one id in the indexes of subjects and actors', async () => {
  const plans = (await queryPlans()).filter(({ name }) =>
    /^eventLog\.mentions$|^eventErasure\.(erase|lastOf)/.test(name),
  )
  assert.equal(plans.length, 7)
  for (const { name, steps } of plans) {
    const reading = steps.filter((step) => step.includes(' events '))
    assert.ok(reading.length > 0, name)
    for (const step of reading) assert.match(step, /events_of_(subject|actor) \(tenant_id=\? AND \w+_id=\?/, name)
  }
})

test('finds the place where a section of events begins without reading an event', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const places = registeredStatements().filter(({ name }) => name.startsWith('eventLog.place'))
  assert.equal(places.length, 3)
  for (const { name, sql } of places) {
    const steps = database.prepare(`EXPLAIN ${sqliteText(sql)}`).all()
    // An index is opened with its key, a table with the number of its columns.
    const tables = steps.filter(({ opcode, p4 }) => opcode === 'OpenRead' && /^\d+$/.test(String(p4)))
    const read = steps.filter(({ opcode, p1 }) => opcode === 'Column' && tables.some((table) => table['p1'] === p1))
    assert.deepEqual(read, [], name)
  }
  database.close()
  await close()
})

test('lists users in the order of an index: of ids, of a state, of addresses', async () => {
  const plans = new Map((await queryPlans()).map(({ name, steps }) => [name, steps]))
  const ofProviders = [
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH i USING COVERING INDEX identities_of_user (tenant_id=? AND user_id=?)',
  ]
  const [ids, address] = [
    '(tenant_id=? AND id>? AND id<?)',
    (kind: string) => `(tenant_id=? AND ${kind}>? AND ${kind}<?)`,
  ]
  for (const [state, index] of Object.entries({
    '': 'sqlite_autoindex_users_1',
    Suspended: 'users_suspended',
    Restricted: 'users_restricted',
    Guests: 'users_guests',
    Unverified: 'users_unverified',
  })) {
    for (const name of [`user.list${state}`, `user.listNewest${state}`])
      assert.deepEqual(plans.get(name), [`SEARCH users USING INDEX ${index} ${ids}`, ...ofProviders], name)
  }
  // With two bounds on one side, SQLite reads from one and compares each row with the other.
  const ranged = registeredStatements().filter(({ name }) => /^user\.(list(?!Credentials)|searchBy|placeBy)/.test(name))
  assert.equal(ranged.length, 14)
  for (const { name, sql } of ranged) {
    assert.equal(sql.match(/\b(?:id|email|phone) >=? /g)?.length, 1, name)
    assert.equal(sql.match(/\b(?:id|email|phone) < /g)?.length, 1, name)
  }
  for (const [name, kind, index] of [
    ['Email', 'email', 'sqlite_autoindex_users_2'],
    ['Phone', 'phone', 'sqlite_autoindex_users_3'],
  ] as const) {
    const range = address(kind)
    assert.deepEqual(plans.get(`user.searchBy${name}`), [`SEARCH users USING INDEX ${index} ${range}`, ...ofProviders])
    assert.deepEqual(plans.get(`user.placeBy${name}`), [`SEARCH users USING COVERING INDEX ${index} ${range}`])
  }
})

test('lists tenants by ranges of ids and of names, with one bound on each side', async () => {
  const plans = new Map((await queryPlans()).map(({ name, steps }) => [name, steps]))
  for (const order of ['newest', 'oldest']) {
    const [byId, byName] = ['id', 'search_name'].map((column) => `directory.${order}By_${column}`) as [string, string]
    assert.equal(plans.get(byId)![0], 'SEARCH tenants USING INDEX sqlite_autoindex_tenants_1 (id>? AND id<?)')
    assert.ok(!plans.get(byId)!.some((step) => step.includes('TEMP B-TREE')))
    const { sql } = registeredStatements().find(({ name }) => name === byId)!
    assert.equal(sql.match(/\bid [<>]/g)?.length, 2)
    const names = plans.get(byName)!
    assert.ok(names.includes('SEARCH named USING COVERING INDEX tenants_by_name (search_name>? AND search_name<?)'))
    assert.ok(!names.some((step) => step.includes('TEMP B-TREE')), names.join('\n'))
  }
  assert.deepEqual(plans.get('directory.list'), ['SEARCH tenants USING INDEX sqlite_autoindex_tenants_1 (id>?)'])
})
