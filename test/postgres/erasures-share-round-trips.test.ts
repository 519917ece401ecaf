import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

const DAY = 86_400_000
let server: PostgresServer
let service: TestService
/** Statements that were sent, and the turn of the event loop: those of one turn share a round trip. */
let sent: { readonly name: string; readonly turn: number }[] = []
let turn = 0

before(async () => {
  server = await startPostgres()
  const hooks = { onStatement }
  service = await startTestService({
    storage: await openPostgresStorage({ url: await server.createDatabase(), hooks }),
  })
})
after(async () => {
  await service.close()
  await server.close()
})

function onStatement(name: string): void {
  sent.push({ name, turn })
  setImmediate(() => {
    turn++
  })
}

const turnsIn = (statements: typeof sent): number => new Set(statements.map((statement) => statement.turn)).size

test('a user is erased in few round trips', async () => {
  const { tenantId } = await service.addTenant()
  const { id } = await service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
  sent = []
  await service.admin.deleteUser({ tenantId, userId: id })
  const names = sent.map(({ name }) => name)
  const erasing = sent.slice(names.indexOf('user.remove'), names.indexOf('eventQueue.newest') + 1)
  assert.ok(erasing.length > 10)
  assert.equal(turnsIn(erasing), 1)
})

test('idle guests of a batch are erased together', async () => {
  const { client } = await service.addTenant({
    configuration: { auth: { methods: ['guest'], guest: { idleDays: 1 } } },
  })
  for (let n = 0; n < 20; n++) await client.signIn({ method: 'guest' })
  service.clock.advance(2 * DAY)
  sent = []
  await service.service.services.housekeeping.run()
  const locking = sent.filter(({ name }) => name === 'user.lock')
  // Eight with BEGIN, and the others when it is answered.
  assert.deepEqual([locking.length, turnsIn(locking)], [20, 2])
})

test('the erasures of several users are finished at once', async () => {
  const { tenantId } = await service.addTenant()
  for (let n = 0; n < 4; n++) {
    const { id } = await service.admin.createUser({ tenantId }, { email: `user${n}@example.com` })
    await service.admin.deleteUser({ tenantId, userId: id })
  }
  await service.service.services.events.drain()
  service.clock.advance(2 * 60_000)
  sent = []
  await service.service.services.housekeeping.run()
  const names = sent.map(({ name }) => name).filter((name) => ['otp.cancelLive', 'eventErasure.remove'].includes(name))
  assert.ok(names.filter((name) => name === 'eventErasure.remove').length >= 4)
  assert.deepEqual(names.slice(0, 4), Array(4).fill('otp.cancelLive'))
})
