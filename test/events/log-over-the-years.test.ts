import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deployment } from '../../server/core/deployment.ts'
import { record } from '../../server/events/record.ts'
import { asUser, aUser } from '../../server/events/subjects.ts'
import { startOfLog } from '../../server/events/verify/check-batch.ts'
import { verifyLog } from '../../server/events/verify/verify-log.ts'
import { backUp } from '../../server/maintenance/backup.ts'
import { copyDatabase } from '../../server/maintenance/copy.ts'
import { readPlace } from '../../server/maintenance/place.ts'
import { resealAll } from '../../server/maintenance/reseal.ts'
import { restore } from '../../server/maintenance/restore.ts'
import { useExecutor } from '../../server/maintenance/use-executor.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import type { DatabaseSettings } from '../../server/settings/database-settings.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { logIn } from '../support/events/sealed-log-rows.ts'
import { keyOf } from '../support/master-key.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

const DAY = 86_400_000

let postgres: PostgresServer
let folder: string
before(async () => {
  postgres = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-log-'))
})
after(() => Promise.all([postgres.close(), rm(folder, { recursive: true })]))

const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]
const placeOf = (url: string): DatabaseSettings => readPlace({ env: { DATABASE_URL: url }, folder })
const sqliteAt = (name: string) => ({ engine: 'sqlite', path: join(folder, name) }) as const

/** What verification reports of a stored log, with the stored keys. */
async function verified(place: DatabaseSettings, tenantId: string) {
  const { log, publicJwks } = await logIn(place, tenantId)
  const keys = new Map(publicJwks.map((jwk) => [jwk.kid, createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })]))
  const { batches, events, head } = log
  return verifyLog(
    { nextBatches: async () => batches.splice(0), nextEvents: async () => events.splice(0), head: async () => head },
    { tenantId, publicKey: (kid) => keys.get(kid), from: startOfLog },
  )
}

async function serve(masterKeys: string, start: number): Promise<TestService> {
  return startTestService({ storage: await openSqliteStorage(sqliteAt('log.db')), masterKeys, start })
}

/** Records an act of a user. */
async function recordSignIn({ clock, service: { services } }: TestService, tenantId: string, userId: string) {
  const source = { now: clock.now(), background: (await services.snapshots.find(tenantId))! }
  const fact = { type: 'sign_in.succeeded', subject: aUser(userId), actor: asUser(userId) } as const
  await services.storage.forTenant(tenantId).write((tx) => record(tx, source, fact))
}

test('a log verifies after a purge, an erasure, a new checkpoint key, new master keys, a copy, a backup and a restore', async () => {
  const start = Date.UTC(2026, 0, 1)
  const first = await serve(k1, start)
  const { events: relay, housekeeping } = first.service.services
  const tenant = await first.addTenant()
  const { tenantId } = tenant
  const [leaving, staying] = [await addPerson(first, tenant), await addPerson(first, tenant)]
  for (const { userId } of [leaving, staying]) await recordSignIn(first, tenantId, userId)
  await relay.drain()
  first.clock.advance(75 * DAY)
  for (const { userId } of [leaving, staying]) await recordSignIn(first, tenantId, userId)
  await first.admin.updateConfiguration({ tenantId }, { events: { days: 80 } })
  await relay.drain()
  await first.admin.deleteUser({ tenantId, userId: leaving.userId })
  await relay.drain()
  first.clock.advance(6 * DAY)
  await housekeeping.run()
  await first.close()

  const afterPurge = await verified(sqliteAt('log.db'), tenantId)
  assert.deepEqual(afterPurge.faults, [])
  assert.ok(afterPurge.purged.events > 0 && afterPurge.erased > 0)

  // A year later there is another checkpoint key.
  const second = await serve(`${k2},${k1}`, start + 366 * DAY)
  await addPerson(second, tenant)
  await second.service.services.events.drain()
  await second.close()
  const keyring = createKeyring(`${k2},${k1}`)
  const { resealed, left } = await useExecutor(sqliteAt('log.db'), (executor) =>
    resealAll(executor, keyring, start + 366 * DAY),
  )
  assert.equal(resealed['checkpoint keys'], 1)
  assert.deepEqual([...left.open.keys(), ...left.closed.keys()], ['k2'])

  const url = await postgres.createDatabase()
  const { differences } = await copyDatabase({
    ...{ from: sqliteAt('log.db'), to: placeOf(url), overwrite: false },
    ...{ tell: () => {}, watch: () => {}, untilInterrupted: () => new AbortController().signal },
  })
  assert.deepEqual(differences, [])
  const { masterKeys } = await backUp(sqliteAt('log.db'), join(folder, 'backup.db'))
  assert.deepEqual(masterKeys, ['k2'])
  await restore(sqliteAt('restored.db'), join(folder, 'backup.db'), { masterKeys: null, now: start })

  // The master key that sealed the first checkpoint key is gone.
  const third = await serve(k2, start + 367 * DAY)
  await addPerson(third, tenant)
  await third.service.services.events.drain()
  await third.close()

  for (const id of [tenantId, deployment]) {
    const [log, copy, restored] = [
      await verified(sqliteAt('log.db'), id),
      await verified(placeOf(url), id),
      await verified(sqliteAt('restored.db'), id),
    ]
    for (const { faults } of [log, copy, restored]) assert.deepEqual(faults, [])
    assert.ok(log.verified.batches > 0)
    assert.deepEqual(copy, restored)
  }
  assert.deepEqual((await logIn(sqliteAt('log.db'), tenantId)).publicJwks.length, 2)
})
