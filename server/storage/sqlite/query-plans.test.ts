import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { openTestStorage } from './open-storage.testkit.ts'

/** Statements that may scan a table, and why that is acceptable. */
const mayScan = new Map([
  ['erase.event_queue', 'the queue has no index by tenant, and the relay keeps it short'],
  ['eventErasure.newestQueued', 'reads the last entries of the queue up to its limit'],
  ['eventErasure.oldestQueued', 'reads the first entry of the queue'],
  ['operator.listLasting', 'a table of a few rows'],
  ['operator.lockLasting', 'a table of a few rows'],
  ['checkpointKey.list', 'a table of a few rows'],
  ['eventQueue.depth', 'reads the first entries of the queue up to its limit'],
  ['eventQueue.oldestLogs', 'only after sealing failed; reads the first entries of the queue up to its limit'],
  ['eventQueue.oldestOfLog', 'only for a log that failed; the queue has no index by tenant'],
  ['eventQueue.oldest', 'reads the first entries of the queue up to its limit'],
  ['outbox.depth', 'reads the first entries of an index up to its limit'],
  ['profile.countUpTo', 'reads the first entries of an index up to its limit'],
  ['purge.outbox', 'reads the first thousand entries of an index'],
  ['schema.applied', 'a table of a few rows'],
  ['signingKey.list', 'a table of a few rows'],
  ['signingKey.newest', 'reads the last entry of an index'],
  ['signingKey.retireAll', 'a table of a few rows'],
  ['sqlite.latestTime', 'once at startup: every tenant key, and the last entry of two indexes'],
  ['sqlite.ping', 'a table of a few rows'],
  ['sqlite.takeSnapshot', 'a table of a few rows'],
])

/** Statements that may read all of a tenant's rows in a table, besides those that erase it. */
const mayReadWholeTenant = new Map([
  ['eventLog.advance', 'a tenant has one head'],
  ['eventLog.head', 'a row of each tenant'],
  ['eventLog.lockHead', 'a tenant has one head'],
  ['eventLog.outside', 'SQLite knows that a NOT NULL column has no null, unless the schema was changed'],
  ['inbox.ofTenant', 'reads the last entries of an index up to its limit'],
  ['profile.countByVersion', 'counts in an index, for the list of versions'],
  ['tenant.lastOrdinal', 'reads the last entry of an index'],
  ['user.findByEmailOrFirst', 'reads the first entry of an index'],
])

/** The query plans of all statements that read or write rows. */
async function queryPlans(): Promise<{ name: string; steps: string[] }[]> {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const plans = registeredStatements()
    .filter(({ sql }) => /^(SELECT|INSERT|UPDATE|DELETE)/.test(sql))
    .map(({ name, sql }) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$(\d+)/g, '?$1')}`).all()
      return { name, steps: rows.map(({ detail }) => String(detail)) }
    })
  database.close()
  await close()
  return plans
}

test('no statement scans a table', async () => {
  const scanning = (await queryPlans()).filter(({ steps }) => steps.some((step) => /^SCAN (?!CONSTANT ROW)/.test(step)))
  assert.deepEqual(scanning.map(({ name }) => name).sort(), [...mayScan.keys()].sort())
})

test('no statement reads all of a tenant’s rows in a table, or builds a temporary index', async () => {
  const reading = (await queryPlans()).filter(({ steps }) =>
    steps.some((step) => /\(tenant_id=\?\)|AUTOMATIC/.test(step)),
  )
  const names = reading.map(({ name }) => name).filter((name) => !name.startsWith('erase.'))
  assert.deepEqual(names.sort(), [...mayReadWholeTenant.keys()])
})

test('counts profiles by version in the order of an index that contains all it reads', async () => {
  const plan = (await queryPlans()).find(({ name }) => name === 'profile.countByVersion')
  assert.deepEqual(plan?.steps, ['SEARCH profiles USING COVERING INDEX profiles_by_version (tenant_id=?)'])
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
  const places = lists.filter(({ name }) => name.startsWith('eventLog.place')).flatMap(({ steps }) => steps)
  for (const step of places) assert.match(step, /COVERING INDEX/)
})
