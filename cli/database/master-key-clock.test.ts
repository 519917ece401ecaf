import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import { keepSecrets, readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../../test/support/databases/postgres-server.ts'
import { keyOf } from '../../test/support/master-key.ts'
import { addPerson } from '../../test/support/person.ts'
import { startTestService } from '../../test/support/service.ts'
import { type CommandResult, type } from '../terminal/terminal.testkit.ts'

let server: PostgresServer
let folder: string
before(async () => {
  server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-key-clock-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const k1 = keyOf('k1', 1)
const k2 = keyOf('k2', 2)

/** Stores a pending code that is encrypted with the first key, without its message in the inbox. */
async function storeCode(url: string, masterKeys: string): Promise<void> {
  const storage = await openPostgresStorage({ url })
  const service = await startTestService({ storage, masterKeys, start: Date.now() })
  const person = await addPerson(service, await service.addTenant())
  await service.codeOf((await person.issue('reset_password')).id)
  await service.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DELETE FROM outbox')
  await client.end()
}

/** Runs a command on a machine whose clock is a day ahead. */
async function dayAhead(...words: string[]): Promise<CommandResult> {
  const now = Date.now
  const clock = mock.method(Date, 'now', () => now() + 86_400_000)
  try {
    return await type(['master-key', ...words], { env: {}, folder })
  } finally {
    clock.mock.restore()
  }
}

test('judges by the time of PostgreSQL whether codes have expired', async () => {
  const url = await server.createDatabase()
  const secrets = join(folder, 'data', 'secrets.json')
  const database = ['--database', url]
  const masterKeys = `${k2},${k1}`
  keepSecrets(secrets, { masterKeys })
  await storeCode(url, k1)
  const first = await dayAhead('rotate', '--restarted', ...database)
  assert.equal(first.exitCode, 0, first.errors)
  assert.match(first.output, /^Re-encrypted with k2: .*\b1 codes\b/)

  // A server that was not restarted.
  await storeCode(url, `${k1},${k2}`)
  const refused = await dayAhead('forget', 'k1', ...database)
  assert.deepEqual([refused.exitCode, refused.output], [1, ''])
  assert.match(refused.errors, /^Data is still encrypted with k1\./)
  assert.equal(readKeptSecrets(secrets).masterKeys, masterKeys)

  assert.equal((await dayAhead('rotate', '--restarted', ...database)).exitCode, 0)
  assert.equal((await dayAhead('forget', 'k1', ...database)).exitCode, 0)
})
