import assert from 'node:assert/strict'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { after, before } from 'node:test'
import { createTenantryClient, type TenantryError } from '../../packages/client/src/index.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import {
  createDiskFixture,
  type DiskFixture,
  failingDisk,
  populate,
  rawIssue,
  statusOf,
  touch,
} from '../support/faults/disk-fixture.ts'
import type { DiskFault } from '../support/faults/failing-disk.ts'
import { databaseIn } from '../support/faults/server-process.ts'
import { refused } from '../support/refused.ts'
import { until } from '../support/until.ts'

const test = testOnSqliteAlone('a PostgreSQL server watches its own disk')

let fixture: DiskFixture
before(async () => {
  fixture = await createDiskFixture()
})
after(() => fixture.close())

test('after a failed fsync: unknown outcomes answer 500, later requests 503, exit with code 1 within 5 s, nothing lost', async (t) => {
  const folder = fixture.newFolder()
  const disk = await failingDisk(t, folder)
  if (disk === null) return
  const server = await fixture.start(folder, disk.environment)
  const { client, issue, key, verifiedReset, delivered } = await populate(server)
  const token = await verifiedReset('jane@example.com')
  const kept = await issue()
  await delivered(kept.id)
  // The fsync that fails is that of a confirm, not of sealing the acts of the operator: a write that is answered after it
  // is durable together with it.
  using database = new DatabaseSync(databaseIn(folder), { readOnly: true })
  const queued = database.prepare('SELECT COUNT(*) AS count FROM event_queue')
  await until(() => queued.get()!['count'] === 0)
  await refused(client.verifyOtp({ id: kept.id, scope: 'otp_signin', code: 'wrong' }), 'OTP_INVALID_CODE')
  const ended = once(server.process, 'close')

  disk.fail('one fsync')
  const begun = performance.now()
  const confirm = () => client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  const racing = [confirm(), confirm()]
  const refusals = await Promise.all(racing.map((each) => refused(each, 'INTERNAL_SERVER').catch(late)))
  assert.ok(refusals.some((refusal) => refusal?.code === 'INTERNAL_SERVER'))
  // The listener may be closed by now. Requests that are still accepted answer 503.
  const later = await Promise.allSettled([issue(), statusOf(server, '/readyz'), statusOf(server, '/healthz')])
  const [write, ...health] = later
  assert.ok(write.status === 'rejected')
  for (const answer of health) if (answer.status === 'fulfilled') assert.equal(answer.value, 503)
  const [code] = await ended
  assert.equal(code, 1)
  const endedMs = performance.now() - begun
  assert.ok(endedMs < 5_000, `${endedMs} ms`)
  t.diagnostic(`exited ${endedMs.toFixed(0)} ms after the failed fsync`)
  assert.match(
    server.output(),
    /"level":60,.*fsync failed; writes are refused.*"msg":"database failed; exiting with code 1/,
  )
  const failed = server
    .output()
    .split('\n')
    .filter((line) => isRequestLine(line) && line.includes('INTERNAL_SERVER'))
  assert.ok(failed.length >= 1, 'the request log is flushed before the exit')

  const again = await fixture.start(folder)
  const restarted = createTenantryClient({ baseUrl: again.baseUrl, tenantKey: key })
  assert.equal((await restarted.getOtpStatus({ id: kept.id, scope: 'otp_signin' })).state, 'pending')
  const confirmed = restarted.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  await confirmed.catch((error: TenantryError) => assert.equal(error.code, 'OTP_ALREADY_CONSUMED'))
  await restarted.signIn({ method: 'password', email: 'jane@example.com', password: 'battery staple' })
  assert.equal(await again.end('SIGTERM'), 0)
})

/** One per request, whatever its answer. */
const isRequestLine = (line: string): boolean => line.includes('"msg":"request"')

/** The second of two confirms may come after the failure. It is then certain that nothing was done. */
const late = (error: Error): TenantryError | null => {
  assert.match(error.message, /SERVICE_UNAVAILABLE|connect|fetch|socket/i)
  return null
}

const faults: DiskFault[] = ['write EIO', 'write ENOSPC', 'write EROFS']
for (const fault of faults) {
  test(`${fault}: requests and readiness answer 503, the log stays short, and the server recovers without a restart`, async (t) => {
    const folder = fixture.newFolder()
    const disk = await failingDisk(t, folder)
    if (disk === null) return
    const server = await fixture.start(folder, disk.environment)
    const { client, issue, key } = await populate(server)
    const kept = await issue()
    disk.fail(fault)
    const logged = server.output().length
    for (let round = 0; round < 20; round++) {
      for (const answer of await Promise.all(Array.from({ length: 5 }, () => rawIssue(server, key)))) {
        assert.deepEqual(answer, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '5' })
      }
      assert.equal(await statusOf(server, '/readyz'), 503)
    }
    assert.equal(await statusOf(server, '/healthz'), 200)
    assert.equal(
      (await client.getOtpStatus({ id: kept.id, scope: 'otp_signin' })).state,
      'pending',
      'reads still succeed',
    )
    const lines = server
      .output()
      .slice(logged)
      .trim()
      .split('\n')
      .filter((line) => !isRequestLine(line))
    assert.ok(lines.length < 30, `${lines.length} lines for 120 refusals`)
    assert.match(lines.join(), /disk is full; free some space|disk I\/O failed/)

    disk.fail('none')
    assert.equal(await statusOf(server, '/readyz'), 200)
    const { id } = await issue()
    assert.equal(await server.end('SIGKILL'), null)
    using database = new DatabaseSync(databaseIn(folder))
    const ids = database.prepare('SELECT id FROM otps ORDER BY id').all()
    assert.deepEqual(
      ids.map((row) => row['id']),
      [kept.id, id].sort(),
      'all acknowledged writes, and none of the refused ones',
    )
  })
}

test('failed reads answer 503, and readiness recovers once the whole file is readable', async (t) => {
  const folder = fixture.newFolder()
  const disk = await failingDisk(t, folder)
  if (disk === null) return
  const server = await fixture.start(folder, disk.environment)
  const { issue, key } = await populate(server)
  await issue()
  disk.fail('read EIO')
  touch(folder)
  const refusal = await rawIssue(server, key)
  assert.deepEqual(refusal, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '60' })
  assert.equal(await statusOf(server, '/readyz'), 503)
  disk.fail('none')
  await issue()
  await until(async () => (await statusOf(server, '/readyz')) === 200)
  assert.equal(await server.end('SIGTERM'), 0)
})
