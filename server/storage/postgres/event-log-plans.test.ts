import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventAt, eventRows, sealedAt, userAt } from '../../../bench/event-rows.ts'
import { tenantId } from '../../../bench/generated-rows.ts'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf, plansOf } from './query-plans.testkit.ts'

const queued =
  'at, type, actor_kind, actor_id, subject_kind, subject_id, outcome, request_id, public, personal, commitment'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  for (const sql of eventRows(20_000)('postgres')) await postgres.execute(sql)
  // Of a log whose events are purged: for a few batches PostgreSQL plans otherwise.
  await postgres.execute(
    `INSERT INTO event_batches (tenant_id, batch, first_sequence, count, sealed_at, root, previous, hash, kid, signature)
     SELECT tenant_id, batch + 20 * i, first_sequence + 20000 * i, count, sealed_at + 20000 * i, root, previous, hash, kid,
       signature
     FROM event_batches, generate_series(1, 500) i`,
  )
  await postgres.execute('VACUUM ANALYZE')
})
after(() => postgres.close())

test('sealing takes the events of a long queue as a range of its key', async () => {
  await postgres.execute(
    `INSERT INTO event_queue (tenant_id, id, ${queued}) SELECT tenant_id, id, ${queued} FROM events`,
  )
  await postgres.execute('ANALYZE event_queue')
  for (const plan of await plansOf(postgres, 'postgres.eventLog.move', [1_000, '||'])) {
    const nodes = nodesOf(plan).filter((node) => node['Relation Name'] === 'event_queue')
    const reads = nodes.flatMap((node) => (node['Node Type'] === 'ModifyTable' ? [] : node['Node Type']))
    assert.deepEqual(reads.toSorted(), ['Index Only Scan', 'Index Scan'], JSON.stringify(plan))
  }
})

test('each read of a log reads one index in order: it scans and sorts nothing', async () => {
  const range = [tenantId, '', '~', 51]
  // A filtered statement reads a window of a few hundred events.
  const window = [tenantId, eventAt(9_000), eventAt(9_500), 51]
  const filters = ['session.', 'session/', 'done', 'request']
  const reads: Record<string, { index: string; parameters: (string | number)[] }> = {
    list: { index: 'events_tenant_id_id_key', parameters: range },
    listFiltered: { index: 'events_tenant_id_id_key', parameters: [...window, ...filters] },
    place: { index: 'events_tenant_id_id_key', parameters: range },
    ...Object.fromEntries(
      [
        ['OfSubject', 'events_of_subject'],
        ['OfActor', 'events_of_actor'],
      ].flatMap(([of, index]) => [
        [`list${of}`, { index, parameters: [...range, userAt(7)] }],
        [`place${of}`, { index, parameters: [...range, userAt(7)] }],
        [
          `list${of}Filtered`,
          {
            index,
            parameters: [...window, userAt(7), ...filters, 'user', ...(of === 'OfSubject' ? [userAt(8)] : [])],
          },
        ],
      ]),
    ),
    between: { index: 'events_pkey', parameters: [tenantId, 10, 1_000, 51] },
    batchesBetween: { index: 'event_batches_pkey', parameters: [tenantId, 1, 9, 5] },
    batchesBefore: { index: 'event_batches_pkey', parameters: [tenantId, 9, 5] },
    batchesSealed: { index: 'event_batches_by_time', parameters: [tenantId, sealedAt(5_000), sealedAt(9_000)] },
  }
  // A small table is scanned in any case.
  await postgres.execute('SET enable_seqscan = off')
  for (const [name, { index, parameters }] of Object.entries(reads)) {
    for (const plan of await plansOf(postgres, `eventLog.${name}`, parameters)) {
      const nodes = nodesOf(plan)
      const text = `${name}: ${JSON.stringify(plan)}`
      assert.ok(!nodes.some((node) => /Seq Scan|Sort|Hash|Bitmap|Gather/.test(node['Node Type'])), text)
      assert.deepEqual(
        nodes.flatMap((node) => node['Index Name'] ?? []),
        [index],
        text,
      )
    }
  }
})

test('finds the events of one id in the indexes of subjects and actors', async () => {
  await postgres.execute('SET enable_seqscan = off')
  const oneId = [tenantId, userAt(7)]
  const last = eventAt(20_000)
  const statements: Record<string, string[]> = {
    'eventLog.mentions': oneId,
    ...Object.fromEntries(
      ['subject', 'actor'].flatMap((role) => [
        [`eventErasure.eraseNewestBy_${role}`, oneId],
        [`eventErasure.lastOfNextBy_${role}`, [...oneId, '']],
        [`eventErasure.eraseNextBy_${role}`, [...oneId, '', last]],
      ]),
    ),
  }
  for (const [name, parameters] of Object.entries(statements)) {
    for (const plan of await plansOf(postgres, name, parameters)) {
      const text = `${name}: ${JSON.stringify(plan)}`
      const indexes = nodesOf(plan).flatMap((node) => node['Index Name'] ?? [])
      assert.ok(indexes.length > 0 && indexes.every((index) => /^events_of_(subject|actor)$/.test(index)), text)
      assert.ok(!nodesOf(plan).some((node) => /Seq Scan|Hash|Gather/.test(node['Node Type'])), text)
    }
  }
})
