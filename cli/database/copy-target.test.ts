import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { readPlace } from '../../server/maintenance/place.ts'
import { usePostgresSource } from '../../server/maintenance/postgres-tables.ts'
import type { TableDatabase } from '../../server/maintenance/tables.ts'
import { lockForServer } from '../../server/startup/server-lock.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { startPostgres } from '../../test/support/databases/postgres-server.ts'
import { startTestService } from '../../test/support/service.ts'
import { copies, fails, inFile, newDeployment, newFile } from './copy.testkit.ts'

const inUse = /^A server or another command is using the target\. Stop it first, then copy again\.\n$/

test('refuses a target that a server uses, which would seal events with a key that the copy removes', async () => {
  await using postgres = await startPostgres()
  const [path, url] = [await newDeployment(), await postgres.createDatabase()]
  {
    await using _server = await startTestService({ storage: await openPostgresStorage({ url }) })
    assert.match(await fails('--from', `sqlite:${path}`, '--to', url), inUse)
  }
  await copies('--from', `sqlite:${path}`, '--to', url)
  assert.match(
    await fails('--from', url, '--to', url.replace('127.0.0.1', 'localhost')),
    /^Source and target are the same database\.\n$/,
  )
})

test('asks to stop the server on the target before it mentions --overwrite', async () => {
  await using postgres = await startPostgres()
  const [path, url] = [await newDeployment(), await postgres.createDatabase()]
  const words = ['--from', `sqlite:${path}`, '--to', url]
  await copies(...words)
  {
    // At its first startup it adds its keys, which changes the target.
    await using _server = await startTestService({ storage: await openPostgresStorage({ url }) })
    assert.match(await fails(...words), inUse)
  }
  assert.match(await fails(...words), /--overwrite/)

  const file = newFile()
  const back = ['--from', `sqlite:${path}`, '--to', `sqlite:${file}`]
  await copies(...back)
  inFile(file, "UPDATE tenants SET name = 'Changed by a server' WHERE id = 'a'")
  {
    using _server = lockForServer({ engine: 'sqlite', path: file })
    assert.match(await fails(...back), inUse)
  }
  assert.match(await fails(...back), /--overwrite/)
})

test('names the side whose connection is lost during a copy', async () => {
  await using postgres = await startPostgres()
  const [from, to] = [await postgres.createDatabase(), await postgres.createDatabase()]
  const useSource = <T>(url: string, work: (database: TableDatabase) => Promise<T>): Promise<T> => {
    const place = readPlace({ env: {}, folder: '.' }, { option: '--from', url })
    assert.ok(place.engine === 'postgres')
    return usePostgresSource(place, work)
  }
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  const cut = (url: string) =>
    admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
      new URL(url).pathname.slice(1),
    ])
  for (const lost of [from, to]) {
    const { host, pathname } = new URL(lost)
    await assert.rejects(
      useSource(from, (source) =>
        useSource(to, async (target) => {
          await cut(lost)
          await source.tables()
          return target.tables()
        }),
      ),
      { message: new RegExp(`^The connection to postgres://postgres@${host}${pathname} was lost: `) },
    )
  }
  await admin.end()
})
