import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'

const root = join(import.meta.dirname, '../..')

/** Runs a script that stops its process, and returns the folder for its temporary files with what it printed. */
async function runUntilStopped(t: TestContext, module: string, script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-stopped-bench-'))
  t.after(() => rm(folder, { recursive: true }))
  // PostgreSQL runs as another user than root.
  await chmod(folder, 0o755)
  const code = `const module = await import(${JSON.stringify(join(root, module))})\n${script}\nprocess.exit()`
  const env = { ...process.env, TMPDIR: folder }
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' })
  return { folder, printed }
}

test('leaves no filled database behind when it is stopped', async (t) => {
  const script = 'console.log((await module.fillSqlite(() => [])).url)'
  const { folder, printed } = await runUntilStopped(t, 'bench/filled-database.ts', script)
  assert.ok(printed.startsWith(`sqlite:${folder}/`), printed)
  assert.deepEqual(await readdir(folder), [])
})

test('leaves no PostgreSQL server behind when it is stopped', async (t) => {
  const script = 'console.log((await module.startOwnPostgres()).url)'
  const { folder, printed } = await runUntilStopped(t, 'test/support/databases/postgres-server.ts', script)
  assert.deepEqual(await readdir(folder), [])
  await assert.rejects(new pg.Client({ connectionString: printed.trim() }).connect(), { code: 'ECONNREFUSED' })
})
