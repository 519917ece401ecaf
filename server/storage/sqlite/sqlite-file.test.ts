import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseUnavailable } from '../storage-error.ts'
import { atOnce, messageOf, newTenant, otpOf, t0, tenantOf, userOf } from '../suite/samples.testkit.ts'
import { dumpFile, openTestStorage } from './open-storage.testkit.ts'

test('the writer uses WAL mode, leaves syncing to the storage, checks foreign keys, and never blocks on a lock', async () => {
  const rewrite = (name: string, sql: string) =>
    name === 'tenant.get'
      ? `SELECT 't' AS id, journal_mode AS name, foreign_keys AS suspended, '[]' AS restricted_capabilities,
           synchronous AS revision, timeout AS created_at, 0 AS updated_at
         FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys, pragma_busy_timeout WHERE $1 = $1`
      : sql
  const { storage, close } = await openTestStorage({ hooks: { rewrite } })
  const seen = await storage.forTenant('t').write((tx) => tx.tenant.get())
  assert.deepEqual([seen?.name, seen?.revision, seen?.suspended, seen?.createdAt], ['wal', 1, true, 0])
  await close()
})

test('only the owner can access the database and its folder', async () => {
  const { path, close } = await openTestStorage()
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777
  assert.equal(await modeOf(path), 0o600)
  assert.equal(await modeOf(`${path}-wal`), 0o600)
  assert.equal(await modeOf(dirname(path)), 0o700)
  await close()
})

test('every table is STRICT', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").all()
  const loose = tables.filter(({ name, strict }) => strict !== 1 && !String(name).startsWith('sqlite_'))
  assert.deepEqual(loose, [])
  assert.throws(() =>
    database.exec("UPDATE tenants SET revision = 'x'; INSERT INTO schema_migrations VALUES ('x', 'y')"),
  )
  database.close()
  await close()
})

test('refuses a row of an erased tenant', async () => {
  const { storage, dump, close } = await openTestStorage()
  await assert.rejects(storage.forTenant('gone').otps.issue(otpOf(), messageOf()), /FOREIGN KEY/)
  assert.deepEqual((await dump())['otps'], [])
  await close()
})

test('on a full disk, writes are refused, acknowledged rows are kept and reads succeed; recovers without a restart', async () => {
  const { storage, path, dump, close } = await openTestStorage({ maxPages: 200 })
  const tenant = await newTenant(storage)
  const acknowledged: string[] = []
  const issue = async (index: number) => {
    const otp = otpOf({ id: `otp-${index}`, sealedCode: 'x'.repeat(500), expiresAt: t0 + index })
    await tenant.otps.issue(otp, messageOf())
    acknowledged.push(otp.id)
  }
  const results = await Promise.allSettled(Array.from({ length: 2000 }, (_, index) => issue(index)))
  const refused = results.filter((result) => result.status === 'rejected')
  assert.ok(refused.length > 0 && acknowledged.length > 0, `${acknowledged.length} acknowledged`)
  for (const { reason } of refused) {
    assert.deepEqual([reason.code, reason.details], ['SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }])
    assert.match(String(reason.cause.cause), /database or disk is full/)
  }
  // A group that was rolled back has left some space, which single writes fill.
  for (let index = 2000, isFull = false; !isFull; index++) await issue(index).catch(() => (isFull = true))
  await assert.rejects(storage.ping(), { code: 'SERVICE_UNAVAILABLE' })
  const { otps, outbox } = await dump()
  assert.deepEqual(otps?.map(({ id }) => id).sort(), acknowledged.sort())
  assert.equal(outbox?.length, acknowledged.length, 'exactly one message for each')
  assert.notEqual(await tenant.otps.find(acknowledged[0]!, 'reset_password'), null)

  while (await storage.system.purge('otps', t0 + 1000, 50));
  while (await storage.system.purge('messages', t0 + 1000, 50));
  await storage.ping()
  assert.deepEqual((await dump())['limit_logs'], [], 'the probe leaves no row')
  await issue(5000)
  assert.equal(
    new DatabaseSync(path, { readOnly: true }).prepare('PRAGMA integrity_check').get()?.['integrity_check'],
    'ok',
  )
  await close()
})

/** Runs a program in another process; resolves when it prints `ready`. */
async function otherProcess(program: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('while another process holds the lock, writes wait without blocking the event loop', async () => {
  const { storage, path, close } = await openTestStorage()
  const tenant = await newTenant(storage)
  const child = await otherProcess(`
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(path)})
    database.exec('BEGIN IMMEDIATE')
    console.log('ready')
    process.stdin.resume().once('end', () => database.exec('COMMIT'))`)
  let answered = 0
  const written = atOnce(50, async () => {
    const taken = await tenant.users.add(userOf(), null)
    answered++
    return taken
  })
  assert.equal(await tenant.users.find('nobody'), null)
  for (let turn = 0; turn < 10; turn++) await pause(5)
  assert.equal(answered, 0, 'reads and timers do not wait')
  child.stdin.end()
  assert.deepEqual(await written, Array(50).fill(null))
  if (child.exitCode === null) await once(child, 'exit')
  await close()
})

test('refuses a write that waited too long for another process; the next one can succeed', async () => {
  const { storage, path, close } = await openTestStorage({ busyTimeoutMs: 400 })
  const tenant = await newTenant(storage)
  const rival = new DatabaseSync(path)
  rival.exec('BEGIN IMMEDIATE')
  await assert.rejects(tenant.users.add(userOf(), null), (error: DatabaseUnavailable) => {
    assert.deepEqual([error.code, error.details], ['SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }])
    assert.match(String(error.cause), /database is locked by another process/)
    return true
  })
  const next = tenant.users.add(userOf(), null)
  await pause(10)
  rival.exec('COMMIT')
  assert.equal(await next, null)
  rival.close()
  await close()
})

test('writes succeed while another process writes continuously', async () => {
  const { storage, path, close } = await openTestStorage()
  const tenant = await newTenant(storage)
  const child = await otherProcess(`
    import { openSqliteStorage } from ${JSON.stringify(new URL('./sqlite-storage.ts', import.meta.url).href)}
    const storage = await openSqliteStorage({ path: ${JSON.stringify(path)} })
    console.log('ready')
    let on = true
    process.once('SIGTERM', () => { on = false })
    while (on) await Promise.all([1, 2, 3].map((at) => storage.system.tenants.touchKeys(new Map([['none', at]]))))
    await storage.close()`)
  for (let round = 0; round < 10; round++) await atOnce(20, () => tenant.users.add(userOf(), null))
  child.kill('SIGTERM')
  await once(child, 'exit')
  assert.equal(dumpFile(path)['users']?.length, 200)
  await close()
})

for (const [moment, hooks] of [
  ['between two statements of a write', "{ onStatement: (name) => { if (armed && name === 'message.add') die() } }"],
  ['between the last statement and COMMIT', '{ beforeCommit: () => { if (armed) die() } }'],
] as const) {
  test(`after a kill ${moment}, acknowledged writes are kept and the interrupted one is not`, async () => {
    const { storage, path, close } = await openTestStorage()
    const { id: tenantId } = tenantOf()
    const tenant = await newTenant(storage, { id: tenantId })
    const otp = otpOf({ resendIntervalSeconds: 0 })
    const child = await otherProcess(`
      import { openSqliteStorage } from ${JSON.stringify(new URL('./sqlite-storage.ts', import.meta.url).href)}
      let armed = false
      const die = () => process.kill(process.pid, 'SIGKILL')
      const storage = await openSqliteStorage({ path: ${JSON.stringify(path)}, hooks: ${hooks} })
      const { otps } = storage.forTenant(${JSON.stringify(tenantId)})
      await otps.issue(${JSON.stringify(otp)}, { id: 'm1', lease: null })
      await otps.resend(${JSON.stringify(otp.id)}, ${JSON.stringify(otp.scope)}, ${t0 + 1}, { id: 'm2', lease: null })
      armed = true
      console.log('ready')
      await otps.resend(${JSON.stringify(otp.id)}, ${JSON.stringify(otp.scope)}, ${t0 + 2}, { id: 'm3', lease: null })
      console.error('The resend was acknowledged')`)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    assert.equal(child.signalCode, 'SIGKILL')
    const stored = await tenant.otps.find(otp.id, otp.scope)
    assert.deepEqual([stored?.resendCount, stored?.lastSentAt], [1, t0 + 1])
    assert.deepEqual(
      dumpFile(path)['outbox']?.map(({ id }) => id),
      ['m1', 'm2'],
    )
    assert.equal((await tenant.otps.resend(otp.id, otp.scope, t0 + 3, messageOf())).applied, true)
    await close()
  })
}
