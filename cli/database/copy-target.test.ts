import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { startPostgres } from '../../test/support/databases/postgres-server.ts'
import { startTestService } from '../../test/support/service.ts'
import { copies, fails, newDeployment } from './copy.testkit.ts'

test('refuses a target that a server uses, which would seal events with a key that the copy removes', async () => {
  await using postgres = await startPostgres()
  const [path, url] = [await newDeployment(), await postgres.createDatabase()]
  {
    await using _server = await startTestService({ storage: await openPostgresStorage({ url }) })
    assert.match(
      await fails('--from', `sqlite:${path}`, '--to', url),
      /^A server or another command is using the target\. Stop it first, then copy again\.\n$/,
    )
  }
  await copies('--from', `sqlite:${path}`, '--to', url)
  assert.match(
    await fails('--from', url, '--to', url.replace('127.0.0.1', 'localhost')),
    /^Source and target are the same database\.\n$/,
  )
})
