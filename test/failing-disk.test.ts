import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTenantryClient, type TenantryError } from '../client/client.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { databaseIn, type ServerProcess, startServer } from './campaign/server-process.ts'
import { createFailingDisk, type DiskFault, type FailingDisk } from './failing-disk.ts'
import { testOnSqliteAlone } from './on-sqlite-alone.ts'
import { refused } from './refused.ts'
import { until } from './until.ts'

const test = testOnSqliteAlone('the disks of PostgreSQL are its own to watch')
const secrets = { adminKey: 'failing-disk-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }

let root: string
const servers: ServerProcess[] = []
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenantry-disk-'))
})
after(async () => {
  for (const { process } of servers) process.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

let folders = 0
function newFolder(): string {
  const folder = join(root, `${++folders}`)
  mkdirSync(folder)
  return folder
}

async function start(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await startServer(folder, secrets, settings)
  servers.push(server)
  return server
}

/** A disk that can fail; null, with the reason in the output, where it cannot be made. */
async function failingDisk(t: TestContext, folder: string): Promise<FailingDisk | null> {
  const disk = await createFailingDisk(folder)
  if (typeof disk !== 'string') return disk
  t.skip(disk)
  return null
}

const statusOf = async ({ baseUrl }: ServerProcess, path: string): Promise<number> =>
  (await fetch(baseUrl + path)).status

/** A server with a tenant, and how its clients write. */
async function populate({ baseUrl }: ServerProcess) {
  const admin = createTenantryClient({ baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Disk' })
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] } })
  const { key } = await admin.createTenantKey({ tenantId }, {})
  const client = createTenantryClient({ baseUrl, tenantKey: key })
  let issued = 0

  /** The code, once the message is delivered and that is recorded. */
  async function delivered(otpId: string): Promise<string> {
    let code: string | null | undefined
    await until(async () => {
      const { messages } = await admin.listTestingChannelMessages({ otpId })
      code = messages[0]?.code
      return Boolean(code)
    })
    return code!
  }

  return {
    key,
    client,
    /** A write, whose message is delivered by another one. */
    issue: () => client.issueOtp({ scope: 'otp_signin', email: `disk-${++issued}@example.com` }),
    delivered,
    async verifiedReset(email: string): Promise<string> {
      await client.signUp({ method: 'password', email, password: 'long enough', profile: {} })
      const { id } = await client.resetPassword({ step: 'challenge', email })
      await client.verifyOtp({ id, scope: 'reset_password', code: await delivered(id) })
      return id
    },
  }
}

test('one failed fsync: no false refusal, 503 at once, exit with code 1 within 5 s, nothing lost', async (t) => {
  const folder = newFolder()
  const disk = await failingDisk(t, folder)
  if (disk === null) return
  const server = await start(folder, disk.environment)
  const { client, issue, key, verifiedReset, delivered } = await populate(server)
  const token = await verifiedReset('jane@example.com')
  const kept = await issue()
  await delivered(kept.id)
  const ended = once(server.process, 'exit')

  disk.fail('one fsync')
  const begun = performance.now()
  const confirm = () => client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  const racing = [confirm(), confirm()]
  const refusals = await Promise.all(racing.map((each) => refused(each, 'INTERNAL_SERVER').catch(late)))
  assert.ok(refusals.some((refusal) => refusal?.code === 'INTERNAL_SERVER'))
  // The listener may be closed by now: what still gets in hears that nothing is done any more.
  const later = await Promise.allSettled([issue(), statusOf(server, '/readyz'), statusOf(server, '/healthz')])
  const [write, ...health] = later
  assert.ok(write.status === 'rejected')
  for (const answer of health) if (answer.status === 'fulfilled') assert.equal(answer.value, 503)
  const [code] = await ended
  assert.equal(code, 1)
  const endedMs = performance.now() - begun
  assert.ok(endedMs < 5_000, `${endedMs} ms`)
  t.diagnostic(`exited ${endedMs.toFixed(0)} ms after the failed fsync`)
  assert.match(server.output(), /"level":60,.*fsync failed; writes stop.*"msg":"database failed; exiting with code 1/)

  const again = await start(folder)
  const restarted = createTenantryClient({ baseUrl: again.baseUrl, tenantKey: key })
  assert.equal((await restarted.getOtpStatus({ id: kept.id, scope: 'otp_signin' })).state, 'pending')
  const confirmed = restarted.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  await confirmed.catch((error: TenantryError) => assert.equal(error.code, 'OTP_ALREADY_CONSUMED'))
  await restarted.signIn({ method: 'password', email: 'jane@example.com', password: 'battery staple' })
  assert.equal(await again.end('SIGTERM'), 0)
})

/** The second of two confirms may come after the failure, when it is certain that nothing is done. */
const late = (error: Error): TenantryError | null => {
  assert.match(error.message, /SERVICE_UNAVAILABLE|connect|fetch|socket/i)
  return null
}

const faults: DiskFault[] = ['write EIO', 'write ENOSPC', 'write EROFS']
for (const fault of faults) {
  test(`${fault}: 503 with Retry-After, readiness follows, few log lines, recovery without a restart`, async (t) => {
    const folder = newFolder()
    const disk = await failingDisk(t, folder)
    if (disk === null) return
    const server = await start(folder, disk.environment)
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
    assert.equal((await client.getOtpStatus({ id: kept.id, scope: 'otp_signin' })).state, 'pending', 'reads go on')
    const lines = server.output().slice(logged).trim().split('\n')
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
      'all that was acknowledged, and nothing that was refused',
    )
  })
}

async function rawIssue({ baseUrl }: ServerProcess, key: string) {
  const answer = await fetch(`${baseUrl}/otp`, {
    method: 'POST',
    headers: { 'x-tenant-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'otp_signin', email: 'refused@example.com' }),
  })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, code: error?.code, retryAfter: answer.headers.get('retry-after') }
}

test('reads that fail answer 503 and never 500, and readiness recovers once the whole file can be read', async (t) => {
  const folder = newFolder()
  const disk = await failingDisk(t, folder)
  if (disk === null) return
  const server = await start(folder, disk.environment)
  const { issue, key } = await populate(server)
  await issue()
  disk.fail('read EIO')
  // Another connection's commit makes every cached page stale, so that it has to be read again.
  touch(folder)
  const refusal = await rawIssue(server, key)
  assert.deepEqual(refusal, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '60' })
  assert.equal(await statusOf(server, '/readyz'), 503)
  disk.fail('none')
  await issue()
  await until(async () => (await statusOf(server, '/readyz')) === 200)
  assert.equal(await server.end('SIGTERM'), 0)
})

function touch(folder: string): void {
  using database = new DatabaseSync(databaseIn(folder), { timeout: 5000 })
  database.exec('PRAGMA user_version = 1')
}

test('a corrupt page: 503, readiness 503, and the log says to restore a backup', async () => {
  const folder = newFolder()
  const server = await start(folder)
  const { issue, key } = await populate(server)
  await issue()
  overwritePages(folder)
  assert.deepEqual(await rawIssue(server, key), { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '60' })
  assert.equal(await statusOf(server, '/readyz'), 503)
  assert.equal(await statusOf(server, '/healthz'), 200)
  assert.match(server.output(), /database file is corrupt or cannot be read;.* restore a backup \(docs\/guides\//)
  assert.equal(server.process.exitCode, null)
})

/** Every page behind the first, which has the schema's root; nothing of it is left in the log or in memory. */
function overwritePages(folder: string): void {
  {
    using database = new DatabaseSync(databaseIn(folder), { timeout: 5000 })
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  const file = openSync(databaseIn(folder), 'r+')
  const { size } = fstatSync(file)
  const header = Buffer.alloc(2)
  readSync(file, header, 0, 2, 16)
  const pageSize = header.readUInt16BE()
  for (let at = pageSize; at < size; at += pageSize) writeSync(file, Buffer.alloc(64, 0xff), 0, 64, at)
  closeSync(file)
  touch(folder)
}

test('a full disk: readiness notices before any client writes, and recovers with the space', async (t) => {
  const folder = newFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return t.skip('a small file system can be mounted by root only')
  }
  try {
    const server = await start(folder)
    const { issue } = await populate(server)
    await issue()
    assert.equal(await statusOf(server, '/readyz'), 200)
    fill(join(folder, 'filler'))
    assert.equal(await statusOf(server, '/readyz'), 503)
    await refused(issue(), 'SERVICE_UNAVAILABLE')
    rmSync(join(folder, 'filler'))
    assert.equal(await statusOf(server, '/readyz'), 200)
    await issue()
    assert.equal(await server.end('SIGTERM'), 0)
  } finally {
    for (const { process } of servers) process.kill('SIGKILL')
    await pause(50)
    execFileSync('umount', ['--lazy', folder])
  }
})

function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096)
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}

test('a missing or empty database file is a warning at startup, and a file with data is not', async () => {
  const folder = newFolder()
  const warning = /"level":40,.*created an empty database at .*; if you expected data there, stop the server/
  for (const isNew of [true, false, true]) {
    const server = await start(folder)
    assert.equal(warning.test(server.output()), isNew)
    assert.equal(await server.end('SIGTERM'), 0)
    if (!isNew) writeFileSync(databaseIn(folder), '')
  }
})
