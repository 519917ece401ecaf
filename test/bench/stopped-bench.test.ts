import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('leaves no filled database behind when it is stopped', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-stopped-bench-'))
  t.after(() => rm(folder, { recursive: true }))
  const filledDatabase = join(import.meta.dirname, '../../bench/filled-database.ts')
  const script = `
    const { fillSqlite } = await import(${JSON.stringify(filledDatabase)})
    console.log((await fillSqlite(() => [])).url)
    process.exit()`
  const env = { ...process.env, TMPDIR: folder }
  const url = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
  assert.ok(url.startsWith(`sqlite:${folder}/`), url)
  assert.deepEqual(await readdir(folder), [])
})
