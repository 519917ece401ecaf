import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startPostgres } from '../support/databases/postgres-server.ts'
import { CuttingProxy } from './cutting-proxy.ts'

const script = join(import.meta.dirname, '../../server/start.js')

test('a database that is lost once the schema is open ends startup with the reason', async () => {
  await using server = await startPostgres()
  const proxy = await CuttingProxy.start(await server.createDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-lost-'))
  const lost = proxy.cut({ statement: 'postgres.now', at: 0 }).then(() => proxy[Symbol.asyncDispose]())
  const env = { PORT: '0', DATABASE_URL: proxy.url }
  const child = spawn(process.execPath, [script], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    const [problem, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.equal(code, 1)
    assert.match(problem, /^Tenantry failed to start:\n {2}No PostgreSQL server is available: 127\.0\.0\.1:\d+: .*\n$/)
    await lost
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
