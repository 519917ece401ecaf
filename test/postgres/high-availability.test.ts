import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { newTenant } from '../../server/storage/suite/samples.testkit.ts'
import { describeReport, failOver, failOverBehind } from '../campaign/crashes/failover.ts'
import { type PostgresNode, startPair } from '../support/databases/standby.ts'
import { fullRunsOnly, sampleSize } from '../support/runner/sample-size.ts'
import { until } from '../support/until.ts'

const seed = 20260115
const writes = sampleSize(80, 30)

test('a failover to a synchronous standby under load loses no acknowledged write and needs no restart', async (t) => {
  const report = await failOver({ writes, seed })
  t.diagnostic(describeReport(report))
  assert.ok(report.acknowledgedWrites >= 2 * writes)
  assert.ok(report.unacknowledged.stored + report.unacknowledged.notStored > 0, 'no write was in flight at the kill')
  assert.ok(Math.max(...report.recoveredMs) < 10_000)
  assert.ok(report.slowestAnswerMs < 4_000, `${report.slowestAnswerMs} ms`)
  for (const seen of report.readiness) assert.deepEqual([seen[0], seen.includes(503), seen.at(-1)], [200, true, 200])
  // 500 is possible if a COMMIT was in flight.
  const codes = Object.keys(report.refusals)
  assert.ok(codes.includes('SERVICE_UNAVAILABLE'))
  assert.deepEqual(
    codes.filter((code) => !['SERVICE_UNAVAILABLE', 'INTERNAL_SERVER'].includes(code)),
    [],
  )
})

test('the checks detect the writes lost in a failover to an asynchronous standby that lags', fullRunsOnly, async () => {
  await assert.rejects(failOverBehind({ writes: 60, seed }), /I3/)
})

test('never acknowledges a write that the synchronous standby lacks, however the wait for it ends', async () => {
  await using pair = await startPair({ synchronous: true })
  // The server reports a cancelled wait by a warning.
  await pair.primary.ask('ALTER ROLE postgres SET client_min_messages = error')
  // The standby comes first. It is read-only, so it is skipped.
  const url = pair.url.replace(/@(.*),(.*)\//, '@$2,$1/')
  const storage = await openPostgresStorage({ url, responseTimeoutMs: 1_000 })
  const standbyOnly = openPostgresStorage({ url: pair.url.replace(/@.*,/, '@') })
  await assert.rejects(standbyOnly, /the server is read-only \(a standby or a demoted primary\)$/)
  const tenant = await newTenant(storage)
  let day = 0
  const spend = () => tenant.smsSpending.spend(`day ${++day}`, 10)
  const spent = async () => Number((await pair.primary.ask('SELECT SUM(sent) AS sent FROM sms_spending'))[0]?.['sent'])
  assert.equal(await spend(), true)

  await pair.partStandby()
  await assert.rejects(spend(), { name: 'OutcomeUnknown', code: 'INTERNAL_SERVER' })
  // The statement timeout does not end the wait. If it did, the server would report a COMMIT.
  assert.equal(await waiting(pair.primary), 1)

  const cancelled = spend()
  cancelled.catch(() => {})
  await until(async () => (await waiting(pair.primary)) === 2)
  await pair.primary.ask("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  await assert.rejects(cancelled, { name: 'OutcomeUnknown', message: /committed with a warning/ })

  await pair.joinStandby()
  assert.equal(await spend(), true)
  assert.equal(await spent(), 4)
  await storage.close()
})

const waiting = async (node: PostgresNode): Promise<number> =>
  (await node.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).length
