import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { databaseIn } from '../../test/support/faults/server-process.ts'
import { until } from '../../test/support/until.ts'
import { type } from '../terminal/terminal.testkit.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-interrupted-backup-'))
  await (await openSqliteStorage({ path: databaseIn(folder) })).close()
})
after(() => rm(folder, { recursive: true }))

const env = () => ({ DATABASE_URL: `sqlite:${databaseIn(folder)}` })

/** Sends a signal when the command has begun to write a file. */
async function interrupt(signal: NodeJS.Signals, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../tenantry.ts'), ...words], {
    cwd: folder,
    env: { ...env(), PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await until(async () => (await readdir(folder)).some((name) => name.endsWith('.unfinished')))
  child.kill(signal)
  assert.deepEqual(await ended, [null, signal])
}

test('Ctrl-C and SIGTERM leave no part of a backup, while that waits for the database', async () => {
  using database = new DatabaseSync(databaseIn(folder))
  database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    await interrupt(signal, 'backup', 'kept.db')
    assert.deepEqual(await readdir(folder), ['tenantry.db'])
  }
})

test('Ctrl-C leaves no part of a restored database, while the restore waits for the backup', async () => {
  assert.equal((await type(['backup', 'kept.db'], { env: env(), folder })).exitCode, 0)
  const before = await readdir(folder)
  using backup = new DatabaseSync(join(folder, 'kept.db'))
  backup.exec('BEGIN EXCLUSIVE')
  await interrupt('SIGINT', 'restore', 'kept.db')
  const left = (await readdir(folder)).filter((name) => !before.includes(name))
  assert.deepEqual(left, ['tenantry.db.server-lock'])
})
