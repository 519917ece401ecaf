import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from '../support/databases/postgres-server.ts'

test('the command fails when a test on PostgreSQL fails, and succeeds otherwise', async () => {
  await using server = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-exit-'))
  try {
    const codes: number[] = []
    for (const outcome of ['true', 'false']) {
      const file = join(folder, `${outcome}.test.mjs`)
      await writeFile(
        file,
        `import assert from 'node:assert'\nimport { test } from 'node:test'\ntest('one', () => assert(${outcome}))`,
      )
      const script = join(import.meta.dirname, '../run-on-postgres.ts')
      // Without this variable the inner run does not take itself for a test process, and runs its files.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const run = spawn(process.execPath, [script, '--url', server.url, file], { env, stdio: 'ignore' })
      codes.push((await once(run, 'exit'))[0])
    }
    assert.deepEqual(codes, [0, 1])
  } finally {
    await rm(folder, { recursive: true })
  }
})
