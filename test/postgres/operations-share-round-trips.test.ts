import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { EventLoopTurns } from '../support/event-loop-turns.ts'
import { startTestService, type TestService } from '../support/service.ts'

let server: PostgresServer
let service: TestService
let onStatement: (name: string) => void = () => {}

before(async () => {
  server = await startPostgres()
  const hooks = { onStatement: (name: string) => onStatement(name) }
  service = await startTestService({
    storage: await openPostgresStorage({ url: await server.createDatabase(), hooks }),
  })
})
after(async () => {
  await service.close()
  await server.close()
})

const email = 'ada@example.com'
const password = 'a long enough password'

async function signedUp() {
  const { client } = await service.addTenant()
  await client.signUp({ method: 'password', email, password })
  return { client }
}

/** How many of these statements an operation sends, and in how many turns of the event loop: one takes a round trip. */
async function sentBy(names: string, operation: () => Promise<unknown>): Promise<[calls: number, turns: number]> {
  const sent = new EventLoopTurns()
  const counted = names.split(' ')
  onStatement = (name) => counted.includes(name) && sent.note()
  await operation()
  onStatement = () => {}
  return [sent.calls, sent.turns]
}

test('a sign-in and a refresh store the session together with the time of the last activity', async () => {
  const { client } = await signedUp()
  const signIn = () => client.signIn({ method: 'password', email, password })
  assert.deepEqual(await sentBy('session.add user.touch', signIn), [2, 1])
  const { refreshToken } = await signIn()
  const refresh = () => client.refreshSession({ refreshToken })
  assert.deepEqual(await sentBy('session.rotate user.touch', refresh), [2, 1])
})
