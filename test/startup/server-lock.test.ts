import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type } from '../../cli/terminal/terminal.testkit.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { lockForServer } from '../../server/startup/server-lock.ts'
import { databaseIn, type ServerProcess, startServer } from '../support/faults/server-process.ts'
import { manualClock } from '../support/manual-clock.ts'
import { sampleOf } from '../support/runner/sample-size.ts'

const secrets = { adminKey: 'an-admin-key-of-at-least-32-characters', masterKeys: generateMasterKeys(0) }
const root = join(import.meta.dirname, '../..')

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenantry-lock-'))
})
/** Killed at the end, even if a test failed. */
const servers: ServerProcess[] = []
after(async () => {
  for (const server of servers) server.process.kill('SIGKILL')
  await rm(home, { recursive: true, force: true })
})

async function start(folder: string): Promise<ServerProcess> {
  const server = await startServer(folder, secrets)
  servers.push(server)
  return server
}

/** A folder for one database. */
async function folderFor(name: string): Promise<string> {
  const folder = join(home, name)
  await mkdir(folder)
  return folder
}

const environmentFor = (path: string) => ({
  ...{ PORT: '0', HOST: '127.0.0.1', TENANTRY_ENVIRONMENT: 'staging', DATABASE_URL: `sqlite:${path}` },
  ...{ TENANTRY_ADMIN_KEY: secrets.adminKey, TENANTRY_MASTER_KEYS: secrets.masterKeys },
})

/** Starts another server until it exits; returns exit code and output. */
async function startSecond(path: string): Promise<{ code: number; output: string }> {
  const options = { cwd: home, env: environmentFor(path), timeout: 30_000 }
  const ended = promisify(execFile)(process.execPath, [join(root, 'server/start.js')], options)
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}

const settingsOf = (path: string) => ({ engine: 'sqlite' as const, path })

/** Asserts that a server that starts now, in this process, does not get the lock. */
const assertLocked = (path: string) =>
  assert.throws(() => lockForServer(settingsOf(path)), /Another server is running/, path)

test('I18: a second server on one file exits with 1 and suggests PostgreSQL; the first keeps serving', async () => {
  const folder = await folderFor('second')
  const first = await start(folder)
  const { code, output } = await startSecond(databaseIn(folder))
  assert.equal(code, 1, output)
  assert.match(
    output,
    /^Tenantry failed to start:\n {2}Another server is running on \/\S+\/tenantry\.db\. SQLite supports one server per file\. .* \(DATABASE_URL=postgres:\/\/…\)\.\n$/,
  )
  assert.equal((await fetch(`${first.baseUrl}/readyz`)).status, 200)
  assert.equal(await first.end('SIGTERM'), 0)
})

test('I18: the next server starts right after SIGKILL or SIGTERM of the first', async () => {
  const folder = await folderFor('killed')
  for (const signal of sampleOf(['SIGKILL', 'SIGKILL', 'SIGTERM'] as const)) {
    const server = await start(folder)
    assertLocked(databaseIn(folder))
    await server.end(signal)
  }
  await (await start(folder)).end('SIGTERM')
  const files = (await readdir(folder)).filter((name) => name.includes('lock'))
  assert.deepEqual(files, ['tenantry.db.server-lock'], 'no journal is left behind')
  assert.equal((await stat(join(folder, files[0]!))).mode & 0o777, 0o600)
})

test('one of several servers that start at once on a new file starts', async () => {
  const folder = await folderFor('race')
  const starts = await Promise.allSettled(Array.from({ length: 3 }, () => start(folder)))
  const started = starts.filter((start) => start.status === 'fulfilled')
  assert.equal(started.length, 1)
  await started[0]!.value.end('SIGTERM')
})

test('a link to the file or its folder does not bypass the lock; commands do not need it', async () => {
  const folder = await folderFor('linked')
  const server = await start(folder)
  await symlink(databaseIn(folder), join(home, 'link.db'))
  await symlink(folder, join(home, 'link'))
  for (const path of [join(home, 'link.db'), join(home, 'link', 'tenantry.db')]) {
    assertLocked(path)
  }
  const path = databaseIn(folder)
  const run = (words: string[]) => type(words, { folder: home, env: environmentFor(path) })
  for (const args of [
    ['migrate'],
    ['backup', join(folder, 'backup.db')],
    ['copy', '--to', `sqlite:${join(folder, 'copy.db')}`],
    ['master-key', 'rotate', '--restarted'],
  ]) {
    const { exitCode, errors } = await run(args)
    assert.equal(exitCode, 0, `${args[0]}: ${errors}`)
  }
  assert.match((await run(['restore', join(folder, 'backup.db')])).errors, /Stop every server/)
  const onto = ['copy', '--from', `sqlite:${join(folder, 'copy.db')}`, '--to', `sqlite:${path}`]
  assert.match((await run(onto)).errors, /^A server or another command is using the target\. Stop it first/)
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200)
  await server.end('SIGTERM')
  assert.equal((await run(['restore', join(folder, 'backup.db')])).exitCode, 0)
  assert.equal((await run(onto)).exitCode, 0)
  await (await start(folder)).end('SIGTERM')
})

test('a link to a file that does not exist yet does not bypass the lock', async () => {
  const folder = await folderFor('later')
  const path = join(folder, 'a.db')
  const link = join(folder, 'link.db')
  const otherLink = join(folder, 'other-link.db')
  await symlink('a.db', link)
  await symlink(link, otherLink)
  using _lock = lockForServer(settingsOf(otherLink))
  for (const other of [path, link, otherLink]) assertLocked(other)
  // The server creates it.
  await writeFile(path, '')
  for (const other of [path, link, otherLink]) assertLocked(other)
})

test('refuses links that form a loop, and a link to a folder that does not exist', async () => {
  const folder = await folderFor('broken')
  await symlink('loop.db', join(folder, 'loop.db'))
  assert.throws(() => lockForServer(settingsOf(join(folder, 'loop.db'))), /its links form a loop/)
  await symlink('unmounted/a.db', join(folder, 'away.db'))
  const named = join(folder, 'unmounted/a.db')
  assert.throws(() => lockForServer(settingsOf(join(folder, 'away.db'))), {
    message: `${join(folder, 'away.db')} is a link to ${named}, whose folder does not exist; mount its disk, or correct the link`,
  })
})

test('records the time while running and at shutdown for the next server', async () => {
  const settings = settingsOf(join(await folderFor('seen'), 'a.db'))
  const start = Date.UTC(2026, 0, 15, 12)
  const clock = manualClock(start)
  {
    using lock = lockForServer(settings)!
    assert.equal(lock.lastSeen, null)
    lock.follow(clock)
    assert.equal((await stat(`${settings.path}.server-lock`)).mtimeMs, start)
    clock.advance(3_600_000)
  }
  using next = lockForServer(settings)!
  assert.equal(next.lastSeen, start + 3_600_000)
  assert.throws(() => lockForServer(settings), /Another server is running/, 'noting the time has not released the lock')
})

test('a server whose system clock is behind the recorded time continues from it', async () => {
  const folder = await folderFor('behind')
  lockForServer(settingsOf(databaseIn(folder)))![Symbol.dispose]()
  const lockPath = `${databaseIn(folder)}.server-lock`
  const ahead = Date.now() + 3_600_000
  await utimes(lockPath, ahead / 1000, ahead / 1000)
  const server = await start(folder)
  const { meta } = (await (await fetch(`${server.baseUrl}/unknown`)).json()) as { meta: { timestamp: string } }
  const shown = Date.parse(meta.timestamp)
  assert.ok(shown >= ahead - 1 && shown < ahead + 600_000, meta.timestamp)
  await server.end('SIGTERM')
  assert.ok((await stat(lockPath)).mtimeMs >= shown)
})

test('reports a lock file that is a folder or has content instead of a damaged database', async () => {
  const path = join(await folderFor('written'), 'a.db')
  const lockPath = `${path}.server-lock`
  const assertReported = (why: string) => {
    const message = `failed to lock the database ${path}: its lock file ${lockPath} ${why}; stop every server on the database, then delete the lock file`
    assert.throws(() => lockForServer(settingsOf(path)), { name: 'DatabaseFileError', message })
  }
  await mkdir(lockPath)
  assertReported('is a folder')
  await rm(lockPath, { recursive: true })
  await writeFile(lockPath, 'text')
  assertReported('is not empty')
  await rm(lockPath)
  using _lock = lockForServer(settingsOf(path))
  assertLocked(path)
})

test('locks each SQLite file until released, and nothing on PostgreSQL', async () => {
  const folder = await folderFor('within')
  const path = join(folder, 'a.db')
  using _other = lockForServer(settingsOf(join(folder, 'other.db')))
  for (let times = 0; times < 2; times++) {
    using _lock = lockForServer(settingsOf(path))
    assertLocked(path)
    // A refusal releases nothing.
    assertLocked(path)
  }
  const place = { url: 'postgres://localhost/accounts', postgresEngine: 'postgresql' } as const
  const postgres = { engine: 'postgres', ...place, connections: 1, rowLevelSecurity: true, migrate: true } as const
  assert.equal(lockForServer(postgres), null)
})
