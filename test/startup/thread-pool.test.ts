import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'
import { startServer } from '../support/faults/server-process.ts'

const test = testOnSqliteAlone('writes to PostgreSQL do not use the thread pool')

test('the thread pool has more threads than hashes and name lookups take, so that an fsync never waits for them', async (t) => {
  if (process.platform !== 'linux') return t.skip('threads are listed on Linux only')
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-threads-'))
  const adminKey = 'thread-pool-admin-key-of-32-characters'
  const server = await startServer(folder, { adminKey, masterKeys: generateMasterKeys(0) })
  await createTenantryAdmin({ baseUrl: server.baseUrl, adminKey }).createTenant({ name: 'Threads' })
  const tasks = `/proc/${server.process.pid}/task`
  const names = readdirSync(tasks).map((task) => readFileSync(join(tasks, task, 'comm'), 'utf8').trim())
  const threads = names.filter((name) => name === 'libuv-worker').length
  const hashes = availableParallelism()
  // The share of name lookups: https://docs.libuv.org/en/v1.x/threadpool.html
  const lookups = Math.ceil(threads / 2)
  assert.ok(threads > hashes + lookups, `${threads} threads: ${names.join(', ')}`)
  await server.end('SIGTERM')
  await rm(folder, { recursive: true })
})
