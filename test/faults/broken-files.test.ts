import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { closeSync, fstatSync, openSync, readdirSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { type } from '../../cli/terminal/terminal.testkit.ts'
import { backUp } from '../../server/maintenance/backup.ts'
import { copyDatabase } from '../../server/maintenance/copy.ts'
import { restore } from '../../server/maintenance/restore.ts'
import { requireSoundFile } from '../../server/maintenance/sqlite-file.ts'
import { keepSecrets } from '../../server/settings/kept-secrets.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import {
  createDiskFixture,
  type DiskFixture,
  populate,
  rawIssue,
  statusOf,
  touch,
} from '../support/faults/disk-fixture.ts'
import { databaseIn, type ServerProcess } from '../support/faults/server-process.ts'
import { smallDisk } from '../support/faults/small-disk.ts'
import { refused } from '../support/refused.ts'
import { until } from '../support/until.ts'

const test = testOnSqliteAlone('a PostgreSQL server watches its own disk')

let fixture: DiskFixture
before(async () => {
  fixture = await createDiskFixture()
})
after(() => fixture.close())

test('on a corrupt page, requests and readiness answer 503, and the log says to restore a backup', async () => {
  const folder = fixture.newFolder()
  const server = await fixture.start(folder)
  const { issue, key } = await populate(server)
  await issue()
  overwritePages(folder)
  assert.deepEqual(await rawIssue(server, key), { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '60' })
  assert.equal(await statusOf(server, '/readyz'), 503)
  assert.equal(await statusOf(server, '/healthz'), 200)
  const advice = /database file is corrupt or cannot be read;.* restore a backup \(docs\/guides\//
  await until(() => advice.test(server.output()))
  assert.equal(server.process.exitCode, null)
})

/** Overwrites every page except the first, which has the root of the schema, also in the log and in memory. */
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

test('on a full disk, readiness fails before any write does, and recovers when space is freed', async (t) => {
  using disk = smallDisk(t, fixture.newFolder())
  if (disk === null) return
  let server: ServerProcess | null = null
  try {
    server = await fixture.start(disk.folder)
    const { issue } = await populate(server)
    await issue()
    assert.equal(await statusOf(server, '/readyz'), 200)
    disk.fill()
    assert.equal(await statusOf(server, '/readyz'), 503)
    await refused(issue(), 'SERVICE_UNAVAILABLE')
    disk.free()
    assert.equal(await statusOf(server, '/readyz'), 200)
    await issue()
    assert.equal(await server.end('SIGTERM'), 0)
  } finally {
    if (server?.process.exitCode === null) await server.end('SIGKILL')
  }
})

test('a start on a full disk is refused with the path and what to do, and succeeds when space is freed', async (t) => {
  using disk = smallDisk(t, fixture.newFolder())
  if (disk === null) return
  const path = databaseIn(disk.folder)
  await (await openSqliteStorage({ path })).close()
  disk.fill()
  const refusal = { name: 'DatabaseFileError', message: `the disk of ${path} is full; free some space` }
  await assert.rejects(openSqliteStorage({ path }), refusal)
  assert.throws(() => requireSoundFile(path), refusal)
  disk.free()
  await (await openSqliteStorage({ path })).close()
})

test('what does not fit on a disk is refused with the path, and leaves no part of a backup, a restore, secrets or a schema', async (t) => {
  using disk = smallDisk(t, fixture.newFolder())
  if (disk === null) return
  const from = { engine: 'sqlite', path: databaseIn(fixture.newFolder()) } as const
  await (await openSqliteStorage(from)).close()
  {
    using database = new DatabaseSync(from.path)
    database.exec(`WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 20000)
      INSERT INTO limit_logs (id, revision, times, expires_at) SELECT id, '', hex(zeroblob(500)), 0 FROM ids`)
  }
  const to = { ...from, path: databaseIn(disk.folder) }
  const full = { name: 'DatabaseFileError', message: /^the disk of .+ is full; free some space$/ }
  await assert.rejects(backUp(from, join(disk.folder, 'backup.db')), full)
  await assert.rejects(restore(to, from.path, { masterKeys: null, now: 0 }), full)
  assert.deepEqual(readdirSync(disk.folder), ['tenantry.db.server-lock'])
  const said: string[] = []
  const untilInterrupted = () => new AbortController().signal
  const options = { tell: (line: string) => void said.push(line), watch: () => {}, untilInterrupted, overwrite: false }
  await assert.rejects(copyDatabase({ from, to, ...options }), full)
  assert.equal(said.at(-1), 'The target is incomplete, and no server starts on it. Copy again to complete it.')
  disk.fill()
  const before = readdirSync(disk.folder)
  assert.throws(() => keepSecrets(join(disk.folder, 'secrets.json'), { adminKey: 'a' }), /the disk is full/)
  const { exitCode, errors } = await type(['schema', 'init'], { folder: disk.folder })
  assert.equal(exitCode, 1)
  assert.match(errors, /^Failed to write profile-schema\.jsonc: ENOSPC/)
  assert.deepEqual(readdirSync(disk.folder), before)
})

test('a write beyond the file size limit of the process is reported with that limit and the file', async () => {
  const [path, sound] = [databaseIn(fixture.newFolder()), databaseIn(fixture.newFolder())]
  await (await openSqliteStorage({ path: sound })).close()
  const reason = 'disk I/O failed; check the disk, the kernel log and the file size limit of the process (ulimit -f)'
  const command = join(import.meta.dirname, '../../cli/tenantry.ts')
  for (const [file, ...words] of [
    [path, 'migrate', '--database', `sqlite:${path}`],
    [`${path}.backup.…`, 'backup', `${path}.backup`, '--database', `sqlite:${sound}`],
    [`${path}.…`, 'restore', sound, '--database', `sqlite:${path}`],
  ]) {
    const limited = ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, command, ...words]
    const { stderr } = await promisify(execFile)('sh', limited).catch((error: { stderr: string }) => error)
    const said = stderr.replace(/\d+\.unfinished/, '…')
    assert.equal(said, `failed to open the database ${file}: ${reason}\n`)
  }
  assert.deepEqual(
    readdirSync(dirname(path)).filter((name) => /unfinished|backup/.test(name)),
    [],
  )
})

test('warns at startup about a missing or empty database file', async () => {
  const folder = fixture.newFolder()
  const warning = /"level":40,.*created an empty database at .*; if you expected data there, stop the server/
  for (const isNew of [true, false, true]) {
    const server = await fixture.start(folder)
    assert.equal(warning.test(server.output()), isNew)
    assert.equal(await server.end('SIGTERM'), 0)
    if (!isNew) writeFileSync(databaseIn(folder), '')
  }
})
