import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { startPostgres } from '../support/databases/postgres-server.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('a preview shows what was changed before, and not what an earlier read will answer', async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const timeouts = { acquireTimeoutMs: 200_000, responseTimeoutMs: 200_000 }
  await using service = await startTestService({ storage: await openPostgresStorage({ url, ...timeouts }) })
  const { tenantId } = await service.addTenant()
  const preview = () => service.admin.previewMessage({ tenantId }, { kind: 'otp_signin', method: 'sms' })
  const rename = (name: string) => service.admin.updateTenant({ tenantId }, { name })
  await rename('Early')
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  const areWaiting = async (count: number): Promise<boolean> => {
    const waiting = `SELECT COUNT(*)::int AS count FROM pg_locks
      WHERE NOT granted AND relation = 'profile_schemas'::regclass`
    return (await database.query(waiting)).rows[0].count === count
  }
  try {
    // A snapshot is read in two steps, of which this keeps the second one waiting.
    await database.query('BEGIN')
    await database.query('LOCK TABLE profile_schemas IN ACCESS EXCLUSIVE MODE')
    const early = preview()
    await until(() => areWaiting(1))
    await rename('Late')
    const late = preview()
    await until(() => areWaiting(2))
    await database.query('COMMIT')
    await early
    assert.match((await late).text, /^Late: /)
  } finally {
    await database.end()
  }
})
