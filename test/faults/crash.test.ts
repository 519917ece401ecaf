import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import { type Account, type AccountLog, after, newAccount } from '../campaign/crashes/account-log.ts'
import { crashOverAndOver } from '../campaign/crashes/crash.ts'
import {
  assertNoSecrets,
  assertNothingElse,
  assertSoundRows,
  settleAccount,
  violations,
} from '../campaign/crashes/crash-invariants.ts'
import { createMixedLoad, passwordMark } from '../campaign/crashes/mixed-load.ts'
import { createBarrier, type Shot, tally, turns } from '../campaign/races/barrier.ts'
import { times } from '../campaign/races/race-fixture.ts'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { seededRandom } from '../campaign/seeded-random.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { startServer } from '../support/faults/server-process.ts'
import { addPerson } from '../support/person.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { cheapHasher, startTestService } from '../support/service.ts'

const cycles = sampleSize(10, 2)
const seed = 20260115
const onFile = testOnSqliteAlone('checks the SQLite file after each kill')

onFile('after repeated kills under load, acknowledged writes are stored and no write is partial', async (t) => {
  const steps = recordSteps()
  const { acknowledgedWrites, unanswered, readyMs, orderlyMs } = await crashOverAndOver(cycles, seed, steps.watch)
  const sorted = readyMs.toSorted((a, b) => a - b)
  t.diagnostic(
    `${cycles} cycles of seed ${seed}, ${acknowledgedWrites} acknowledged writes, ${unanswered.stored} unanswered ones stored ` +
      `and ${unanswered.notStored} not; ready again after ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`,
  )
  steps.assertEach(cycles)
  assert.ok(acknowledgedWrites >= 100 * cycles)
  assert.ok(unanswered.stored + unanswered.notStored > 0, 'no write was in flight at a kill')
  // The fastest, because other processes on this machine delay the rest; on a slow machine, every restart is slow.
  const expected = Math.max(2_000, 3 * orderlyMs)
  assert.ok(sorted[0]! < expected, `restarts took ${sorted.map(Math.round)} ms, the orderly one ${orderlyMs} ms`)
})

onFile('the checks after a crash detect each kind of damage', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant({ configuration: { otp: { resendIntervalSeconds: 0 } } })
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'counter', type: 'integer' }] })
  const person = await addPerson(service, tenant, `${passwordMark}1`)
  const client = await person.client()
  await client.updateProfile({ counter: 7 })
  const { id } = await person.issue('reset_password')
  await client.resendOtp({ id, scope: 'reset_password' })
  const otps = { [id]: { state: 'pending', resends: 1 } } as const
  const known: Account = { ...newAccount(person.password), exists: true, counter: 7, sessions: 1, otps }
  const log = (account: Account): AccountLog => ({
    email: person.email,
    account,
    open: null,
    accessToken: '',
    checked: null,
  })

  const path = parseSqliteUrl(service.database.url)
  async function check(account = known): Promise<void> {
    using database = new DatabaseSync(path, { timeout: 5000 })
    await settleAccount(database, log(account), cheapHasher())
    assertSoundRows(database)
    assertNothingElse(database, { ...createMixedLoad(), accounts: [log(account)] })
    assertNoSecrets(path, [tenant.key])
  }

  await check()
  await assert.rejects(check(after(known, { kind: 'update', counter: 8 })), /I3/, 'a lost update')
  await assert.rejects(check({ ...known, password: 'another' }), /another password/)
  await assert.rejects(check({ ...known, otps: {} }), /I3/, 'an OTP that was not requested')
  const spoil = async (sql: string, message: RegExp, undo: string) => {
    await writeStored(service, sql)
    await assert.rejects(check(), message)
    await writeStored(service, undo)
    await check()
  }
  await spoil('UPDATE otps SET resend_count = 2', /I3, I4/, 'UPDATE otps SET resend_count = 1')
  await spoil("UPDATE outbox SET otp_id = 'x'", /I1/, `UPDATE outbox SET otp_id = '${id}'`)
  await spoil("UPDATE tenants SET name = 'canary-password-1'", /I7/, "UPDATE tenants SET name = 'T'").catch(
    // The text may remain in the write-ahead log, so the second check may fail as well.
    (error: Error) => assert.match(error.message, /I7/),
  )
  using database = new DatabaseSync(path, { timeout: 5000 })
  const spoilRows = (sql: string, message: RegExp) => {
    database.exec('SAVEPOINT sound')
    assertSoundRows(database)
    database.exec(sql)
    assert.throws(() => assertSoundRows(database), message)
    database.exec('ROLLBACK TO sound')
  }
  const oneMessage = /I1: 1 \+ resend_count messages per OTP/
  spoilRows('UPDATE otps SET resend_count = 2', oneMessage)
  spoilRows('DELETE FROM outbox', oneMessage)
  spoilRows("UPDATE otps SET state = 'consumed', sealed_code = NULL", /I2: exactly one notice/)
  spoilRows(`UPDATE outbox SET kind = 'password_changed', user_id = '${person.userId}'`, /I2: exactly one notice/)
  const reset = (
    verifiedAt: number,
  ) => `UPDATE otps SET state = 'consumed', sealed_code = NULL, verified_at = ${verifiedAt};
    UPDATE outbox SET kind = 'password_changed', user_id = '${person.userId}' WHERE id = (SELECT MIN(id) FROM outbox)`
  spoilRows(reset(Number.MAX_SAFE_INTEGER), /I2: the password is stored/)
})

test('the search for secrets detects those in what has changed since the one before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-search-'))
  const path = join(folder, 'tenantry.db')
  const bytes = Buffer.alloc(10 * 4_096)
  const searched = new Map<string, Buffer>()
  const search = async (secret: string) => {
    await writeFile(path, bytes)
    assertNoSecrets(path, [secret], searched)
  }
  try {
    await search('first')
    bytes.write('seco', 3 * 4_096 - 4)
    await search('second')
    bytes.write('nd', 3 * 4_096)
    await assert.rejects(search('second'), /I7: .* contains second/, 'it begins on a page without changes')
    bytes.write('ird', 6 * 4_096)
    await search('third')
    bytes.write('th', 6 * 4_096 - 2)
    await assert.rejects(search('third'), /I7: .* contains third/, 'it ends on a page without changes')
    await writeFile(`${path}-wal`, Buffer.concat([bytes, Buffer.from(`a token ${passwordMark}`)]))
    await assert.rejects(search('fourth'), /I7: .*-wal contains canary/, 'the file is longer')
  } finally {
    await rm(folder, { recursive: true })
  }
})

onFile('no check after a crash reads a table again for each row', async () => {
  await using service = await startTestService()
  using database = new DatabaseSync(parseSqliteUrl(service.database.url), { readOnly: true })
  for (const [name, sql] of Object.entries(violations)) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    assert.doesNotMatch(plan.map(({ detail }) => detail).join('\n'), /CORRELATED/, name)
  }
})

onFile('a running service writes in WAL mode with synchronous=NORMAL, because it syncs the log itself', async () => {
  const pragmas = `SELECT (SELECT synchronous FROM pragma_synchronous) AS id, (SELECT journal_mode FROM pragma_journal_mode)
    AS user_id, '' AS schema_version, '{}' AS content, 0 AS revision, 0 AS created_at, 0 AS updated_at, NULL AS unproven_fields
    WHERE $1 = $1 AND $2 = $2`
  const rewrite = (name: string, sql: string) => (name === 'profile.find' ? pragmas : sql)
  await using service = await startTestService({ hooks: { rewrite } })
  const { storage } = service.service.services
  const row = await storage.forTenant('any').write((tx) => tx.profiles.find('anybody'))
  assert.deepEqual([row?.id, row?.userId], [1, 'wal'])
})

test('SIGTERM under load: requests in flight are answered, no connection is reset, and the process exits with 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-term-'))
  const secrets = { adminKey: 'sigterm-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
  const database = openTestDatabase()
  const server = await startServer(folder, secrets, { DATABASE_URL: database.url })
  const barrier = createBarrier(server.baseUrl)
  try {
    const admin = createTenantryAdmin({ baseUrl: server.baseUrl, adminKey: secrets.adminKey })
    const { id: tenantId } = await admin.createTenant({ name: 'Terminated' })
    const { key } = await admin.createTenantKey({ tenantId }, {})
    // Each takes a real hash, so they queue: when the first is answered, the others are waiting. More of them would be
    // refused on a busy machine, because they would wait too long.
    const signUp = (index: number): Shot => ({
      line: 'POST /auth/sign-up',
      key,
      body: { method: 'password', email: `late-${index}@example.com`, password: 'long enough' },
    })
    const random = seededRandom(seed, 'SIGTERM')
    const firing = barrier.fire(times(8, signUp), random, { whole: true, together: true })
    const users = () => database.ask('SELECT id FROM users').length
    while (users() === 0) await turns(1)
    const startedAt = performance.now()
    const [code, answers] = await Promise.all([server.end('SIGTERM'), firing])
    assert.equal(code, 0)
    assert.ok(performance.now() - startedAt < 10_000)
    assert.deepEqual(tally(answers), { 201: 8 })
    assert.equal(users(), 8)
    await assert.rejects(fetch(`${server.baseUrl}/healthz`))
  } finally {
    barrier.close()
    await server.end('SIGKILL')
    await database.release()
    await rm(folder, { recursive: true })
  }
})
