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
  const { key, client, tenantId } = await service.addTenant()
  const { accessToken, user } = await client.signUp({ method: 'password', email, password })
  return { key, client, tenantId, userId: user.id, token: accessToken }
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

test('a change of the password locks its caller in one round trip, and ends sessions and codes in another', async () => {
  const { key, token } = await signedUp()
  const body = { currentPassword: password, password: 'another long password' }
  const change = () => send('POST /account/password', { key, token, body })
  assert.deepEqual(await sentBy('user.lock session.lockLive', change), [2, 1])
  const again = { currentPassword: body.password, password }
  const changeAgain = () => send('POST /account/password', { key, token, body: again })
  assert.deepEqual(await sentBy('session.revokeAllOf otp.cancelLive user.endCodes', changeAgain), [3, 1])
})

test('an operator ends sessions and codes of a user in one round trip', async () => {
  const { tenantId, userId } = await signedUp()
  const end = () => service.admin.endUserSessions({ tenantId, userId })
  assert.deepEqual(await sentBy('otp.cancelLive session.revokeAllOf user.endCodes', end), [3, 1])
})

test('a reset of the password ends sessions and codes in one round trip', async () => {
  const { client } = await signedUp()
  async function resetTo(next: string): Promise<void> {
    const { id } = await client.resetPassword({ step: 'challenge', email })
    await client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
    await client.resetPassword({ step: 'confirm', token: id, password: next })
  }
  // The first proof of the address removes what others may have added.
  const added = 'identity.removeAllOf session.forgetDevices'
  assert.deepEqual(await sentBy(added, () => resetTo('another long password')), [2, 1])
  const names = 'session.revokeAllOf otp.cancelLive user.endCodes'
  assert.deepEqual(await sentBy(names, () => resetTo(password)), [3, 1])
})

test('a recovery ends all that an attacker may have begun in one round trip', async () => {
  const { client, key, tenantId, userId, token } = await signedUp()
  await service.admin.updateUser({ tenantId, userId }, { emailVerified: true })
  const { id } = (await request(service, 'POST /account/email', { key, token, body: { email: 'eve@example.com' } }))
    .body.data
  await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient: email })
  const { otpId, code } = messages.findLast((message) => message.code !== null)!
  const recover = () => client.recoverAccount({ id: otpId!, code: code! })
  const names = 'session.revokeAllOf session.forgetDevices otp.cancelLive undoCode.cancel undoCode.cancelYounger'
  assert.deepEqual(await sentBy(names, recover), [5, 1])
})
