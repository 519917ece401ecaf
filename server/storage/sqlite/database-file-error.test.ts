import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { explainedFileError } from './database-file-error.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-file-errors-'))
})
after(() => rm(folder, { recursive: true }))

const refusal = (message: string) => ({ name: 'DatabaseFileError', message })

test('a file that is damaged or not a database is reported with its path and what to do', async () => {
  const [text, short] = [join(folder, 'text.db'), join(folder, 'short.db')]
  await writeFile(text, 'no database')
  await (await openSqliteStorage({ path: short })).close()
  await truncate(short, 100_000)
  for (const path of [text, short])
    await assert.rejects(
      openSqliteStorage({ path }),
      refusal(
        `failed to open the database ${path}: it is damaged or not a SQLite database; restore a backup (docs/guides/backup-and-restore.md), or name another file`,
      ),
    )
})

test('a full disk at startup is reported with the path', async () => {
  const path = join(folder, 'full.db')
  await assert.rejects(
    openSqliteStorage({ path, maxPages: 20 }),
    refusal(`the disk of ${path} is full; free some space`),
  )
})

test('a fault of the disk or a lock is reported with the path and what to do; any other error is unchanged', () => {
  const path = join(folder, 'fault.db')
  const explained = (errcode: number) =>
    explainedFileError(path, Object.assign(new Error('SQLite'), { errcode })) as Error
  const refused = `failed to open the database ${path}: `
  assert.equal(explained(4874).message, `the disk of ${path} is full; free some space`)
  assert.equal(explained(266).message, `${refused}disk I/O failed; check the disk and the kernel log`)
  assert.match(explained(5).message, /: database is locked by another process; stop the process/)
  assert.equal(explained(19).message, 'SQLite')
})
