import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { EventLoopTurns } from '../support/event-loop-turns.ts'
import { request } from '../support/http/raw-request.ts'
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
  const { key, client } = await service.addTenant()
  const { accessToken } = await client.signUp({ method: 'password', email, password })
  return { key, client, token: accessToken }
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

async function send(line: string, raw: Parameters<typeof request>[2]): Promise<void> {
  const { status, text } = await request(service, line, raw)
  assert.ok(status < 300, text)
}

test('a sign-in and a refresh store the session together with the time of the last activity', async () => {
  const { client } = await signedUp()
  const signIn = () => client.signIn({ method: 'password', email, password })
  assert.deepEqual(await sentBy('session.add user.touch', signIn), [2, 1])
  const { refreshToken } = await signIn()
  const refresh = () => client.refreshSession({ refreshToken })
  assert.deepEqual(await sentBy('session.rotate user.touch', refresh), [2, 1])
})

test('the export of an account reads everything together', async () => {
  const { key, token } = await signedUp()
  const names = 'profile.find session.listAllOf identity.listOf formPrompt.latest otp.listOf message.listOf'
  assert.deepEqual(await sentBy(names, () => send('GET /account/export', { key, token })), [6, 1])
})
