import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { createTestingChannel } from '../server/delivery/testing-channel.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { findLeaks, type Secrets } from './leak-scan.ts'
import { type RawAnswer, type RawRequest, request } from './raw-request.ts'
import { cheapHasher, startTestService, type TestService } from './service.ts'
import { writeStored } from './stored-rows.ts'

/** What is broken just now: a statement, the hash, or the way out. */
let broken: 'statement' | 'hash' | 'courier' | null = null
const masterKeys = generateMasterKeys(0)
const secrets: Secrets = new Map()
const errorBodies: string[] = []
const called = new Set<string>()
let service: TestService
let google: IdentityProvider
let tenantId: string
let key: string

before(async () => {
  google = await startIdentityProvider('google')
  const hasher = cheapHasher()
  const channel = createTestingChannel(createKeyring(masterKeys))
  service = await startTestService({
    masterKeys,
    identityProviders: google.settings,
    hasher: {
      ...hasher,
      hash: (password) => (broken === 'hash' ? fail({ password }) : hasher.hash(password)),
      verify: (phc, password) => (broken === 'hash' ? fail({ phc, password }) : hasher.verify(phc, password)),
    },
    courier: {
      canDeliver: () => true,
      deliver: (outgoing, now) =>
        broken === 'courier' ? fail(outgoing, String(outgoing.code)) : channel.deliver(outgoing, now),
    },
    sqlite: { hooks: { onStatement: (name) => void (broken === 'statement' && name !== 'gate' && fail({ name })) } },
  })
  for (const [index, text] of masterKeys.split(',').entries()) secrets.set(`master key ${index}`, text.split(':')[1]!)
  secrets.set('operator key', service.adminKey)
})
after(() => Promise.all([service.close(), google.close()]))

/** An error as libraries throw them: with everything they were given. */
function fail(carried: object, message = 'broken on purpose'): never {
  throw Object.assign(new Error(message), { request: carried, body: carried, config: { data: carried } })
}

/** One request, noted as a call of its operation; a refusal's body is kept for the scan. */
async function call(line: string, raw: RawRequest = {}): Promise<RawAnswer> {
  const [method, path = ''] = line.split(' ')
  const admin: Record<string, string> = path.startsWith('/admin') ? { authorization: `Bearer ${service.adminKey}` } : {}
  const answer = await request(service, line, { key, ...raw, headers: { ...admin, ...raw.headers } })
  if (answer.status >= 400) errorBodies.push(answer.text + JSON.stringify([...answer.headers]))
  for (const [name, operation] of Object.entries(operations)) {
    const form = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`)
    if (operation.method === method && form.test(path)) called.add(name)
  }
  return answer
}

let passwords = 0
function newPassword(): string {
  const password = `Canary "password" №${++passwords}`
  secrets.set(`password ${passwords}`, password)
  return password
}

function noteSession({ body }: RawAnswer): string {
  const { accessToken, refreshToken } = body.data
  secrets.set(`access token ${secrets.size}`, accessToken)
  secrets.set(`signature of access token ${secrets.size}`, accessToken.split('.')[2])
  secrets.set(`refresh token ${secrets.size}`, refreshToken)
  secrets.set(`secret of refresh token ${secrets.size}`, refreshToken.slice(-66, -23))
  return accessToken
}

/** An ID token of a new Google account, and the nonce it was asked for with: both are only seen on the wire. */
async function newIdToken(sub: string): Promise<{ idToken: string; nonce: string }> {
  const nonce = `canary nonce ${secrets.size}`
  const idToken = await google.sign({ sub, nonce, email: `${sub}@people.example` })
  secrets.set(`ID token ${secrets.size}`, idToken)
  secrets.set(`signature of ID token ${secrets.size}`, idToken.split('.')[2]!)
  secrets.set(`nonce ${secrets.size}`, nonce)
  return { idToken, nonce }
}

function noteKey({ body }: RawAnswer): { id: string; key: string } {
  secrets.set(`tenant key ${body.data.id}`, body.data.key)
  secrets.set(`secret of key ${body.data.id}`, body.data.key.split('_')[3])
  return body.data
}

async function noteCode(otpId: string): Promise<string> {
  await service.service.services.delivery.drain()
  const { body } = await call(`GET /admin/testing-channel/messages?otpId=${otpId}`)
  const code = body.data.messages.at(-1).code
  assert.match(code, /^\d{10}$/)
  secrets.set(`code of ${otpId}`, code)
  return code
}

/** Every operation as it is meant to be used, and then again with everything that can be wrong. */
async function useEverything(): Promise<void> {
  tenantId = (await call('POST /admin/tenants', { body: { name: 'Canaries' } })).body.data.id
  const tenant = `/admin/tenants/${tenantId}`
  const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: [google.clientId] } }
  const modules = { auth, otp: { length: 10, resendIntervalSeconds: 0 } }
  await call(`PUT ${tenant}/configuration`, { body: modules })
  await call(`PATCH ${tenant}/configuration`, { body: { upload: null } })
  await call(`GET ${tenant}/configuration`)
  const schema = { components: [{ name: 'nick', type: 'text' }] }
  await call(`POST ${tenant}/profile-schema/check`, { body: schema })
  await call(`PUT ${tenant}/profile-schema`, { body: schema })
  await call(`GET ${tenant}/profile-schema`)
  key = noteKey(await call(`POST ${tenant}/keys`, { body: { kind: 'secret' } })).key
  const spare = noteKey(await call(`POST ${tenant}/keys`, { body: {} }))
  const rotated = noteKey(await call(`POST ${tenant}/keys/${spare.id}/rotate`, { body: {} }))
  await call(`DELETE ${tenant}/keys/${rotated.id}`)
  await call(`GET ${tenant}/keys`)
  await call(`GET ${tenant}`)
  await call(`PATCH ${tenant}`, { body: { name: 'Canaries still' } })
  await call('GET /admin/tenants')
  const doomed = (await call('POST /admin/tenants', { body: { name: 'Doomed' } })).body.data.id
  await call(`DELETE /admin/tenants/${doomed}`)

  const email = 'canary@example.com'
  const password = newPassword()
  const created = await call(`POST ${tenant}/users`, { body: { email, phone: '+33612345678', password } })
  const user = `${tenant}/users/${created.body.data.id}`
  await call(`GET ${tenant}/users`)
  await call(`GET ${user}`)
  await call(`PATCH ${user}`, { body: { restrictedCapabilities: [] } })
  await call(`PATCH ${user}/profile`, { body: { nick: 'canary' } })
  await call(`GET ${user}/profile`)
  const other = { method: 'password', email: 'second@example.com', password: newPassword() }
  noteSession(await call('POST /auth/sign-up', { body: other }))
  const token = noteSession(await call('POST /auth/sign-in', { body: { method: 'password', email, password } }))
  await call('GET /account/profile', { token })
  await call('PATCH /account/profile', { token, body: { nick: 'canary still' } })
  await call(`POST ${tenant}/delivery/preview`, { body: { kind: 'otp_signin', method: 'email' } })
  await call(`POST ${tenant}/delivery/test`, { body: { method: 'email', to: email } })
  await call('GET /tenant-configuration')
  await call('GET /admin/signing-keys')
  await call('POST /admin/signing-keys/rotate', { body: {} })
  await call('GET /.well-known/openid-configuration')
  for (const line of ['GET /.well-known/jwks.json', 'GET /healthz', 'GET /readyz', 'GET /openapi.json'])
    await call(line)

  for (const scope of ['email_verification', 'phone_verification', 'otp_signin']) {
    const body = scope === 'otp_signin' ? { scope, email } : { scope }
    const { id } = (await call('POST /otp', { token, body })).body.data
    const code = await noteCode(id)
    await call('POST /otp/resend', { body: { id, scope } })
    await call('POST /otp/status', { body: { id, scope } })
    await call('POST /otp/verify', { body: { id, scope, code: `${code}0` } })
    await call('POST /otp/verify', { body: { id, scope, code } })
    await call('POST /otp/verify', { body: { id, scope, code } })
  }
  const { id } = (await call('POST /auth/reset-password', { body: { step: 'challenge', email } })).body.data
  await call('POST /otp/verify', { body: { id, scope: 'reset_password', code: await noteCode(id) } })
  await call('POST /auth/reset-password', { body: { step: 'confirm', token: id, password: newPassword() } })
  const { body: listed } = await call(`GET ${tenant}/messages`)
  await call(`POST ${tenant}/messages/${listed.data.items[0].id}/retry`)
  await useAccounts(tenant, user)
  await call(`DELETE ${user}`)
  await misuseEverything(token)
}

/** Every way in, a chain of refreshes with a reuse, and every operation of a signed-in user. */
async function useAccounts(tenant: string, user: string): Promise<void> {
  const { idToken, nonce } = await newIdToken('canary-google')
  const byGoogle = await call('POST /auth/sign-in', { body: { method: 'google', idToken, nonce } })
  const token = noteSession(byGoogle)
  const chain = [byGoogle.body.data.refreshToken]
  for (let turn = 0; turn < 3; turn++) {
    const refreshed = await call('POST /auth/refresh', { body: { refreshToken: chain.at(-1) } })
    noteSession(refreshed)
    chain.push(refreshed.body.data.refreshToken)
  }
  const [first, second] = [newPassword(), newPassword()]
  await call('POST /account/identities', { token, body: { method: 'password', password: first } })
  await call('POST /account/password', { token, body: { currentPassword: first, password: second } })
  const changes = [
    ['email', { email: 'changed@example.com' }],
    ['phone', { phone: '+33698765432' }],
  ] as const
  for (const [kind, body] of changes) {
    const { id } = (await call(`POST /account/${kind}`, { token, body })).body.data
    await call('POST /otp/verify', { body: { id, scope: `${kind}_verification`, code: await noteCode(id) } })
  }
  const { id } = (await call('POST /otp', { body: { scope: 'otp_signin', email: 'fourth@example.com' } })).body.data
  await call('POST /otp/verify', { body: { id, scope: 'otp_signin', code: await noteCode(id) } })
  noteSession(await call('POST /auth/sign-in', { body: { method: 'otp', token: id } }))
  await call('GET /account', { token })
  await call('GET /account/export', { token })
  const { sessions } = (await call('GET /account/sessions', { token })).body.data
  await call('DELETE /account/identities/phone', { token })
  await call(`DELETE /account/sessions/${sessions[0].id}`, { token })
  await call('POST /auth/refresh', { body: { refreshToken: chain[0] } })

  const guest = await call('POST /auth/sign-in', { body: { method: 'guest' } })
  await call('POST /auth/sign-out', { token: noteSession(guest), body: { scope: 'all' } })
  const another = noteSession(await call('POST /auth/sign-in', { body: { method: 'guest' } }))
  await call('POST /account/identities', {
    token: another,
    body: { method: 'google', ...(await newIdToken('linked')) },
  })
  await call('DELETE /account', { token: another })
  await call(`GET ${user}/sessions`)
  await call(`DELETE ${user}/sessions/of-nobody`)
  await call(`DELETE ${user}/sessions`)
  await call(`GET ${tenant}/users?email=canary@example.com`)
}

/** The secrets in the wrong places, in broken bodies, and refused. */
async function misuseEverything(token: string): Promise<void> {
  const password = newPassword()
  const short = 'Short'
  const email = 'canary@example.com'
  await call('POST /auth/sign-in', { body: { method: 'password', email, password } })
  await call('POST /auth/sign-in', { body: { method: 'password', email, password: [password] } })
  await call('POST /auth/sign-in', { body: { method: password, email: password, password: null } })
  await call('POST /auth/sign-up', { body: { method: 'password', email, password: short } })
  await call('POST /auth/sign-up', { body: { method: 'password', email: password, password, profile: { nick: 7 } } })
  await call('POST /auth/reset-password', { body: { step: 'confirm', token: password, password } })
  await call('POST /otp/verify', { body: { id: password, scope: 'reset_password', code: password } })
  await call(`POST /otp/verify?password=${encodeURIComponent(password)}`, { body: { code: [password] } })
  await call('PATCH /account/profile', { token, body: { nick: { password } } })
  await call('GET /account/profile', { token: `${token}x` })
  await call('GET /account/profile', { key: `${key}x`, token })
  await call(`GET /nowhere/${encodeURIComponent(password)}?key=${key}&token=${token}`)
  await call('GET /admin/tenants', { headers: { authorization: `Bearer ${service.adminKey}x` } })
  await call('POST /auth/sign-in', { headers: { 'content-type': 'text/plain' }, body: { password } })
  const { idToken, nonce } = await newIdToken('misused')
  await call('POST /auth/sign-in', { body: { method: 'google', idToken: `${idToken}x`, nonce } })
  await call('POST /auth/sign-in', { body: { method: 'google', idToken, nonce: `${nonce}x` } })
  await call('POST /auth/sign-in', { body: { method: idToken, idToken: [idToken], nonce: { nonce } } })
  await call('POST /auth/sign-in', { body: { method: 'otp', token: password } })
  const [, refreshToken] = [...secrets].findLast(([name]) => name.startsWith('refresh token'))!
  await call('POST /auth/refresh', { body: { refreshToken: `${refreshToken}x` } })
  await call('POST /auth/refresh', { body: { refreshToken: [refreshToken] } })
  await call('POST /auth/refresh', { token: refreshToken, body: { refreshToken: token } })
  await call(`DELETE /account/sessions/${encodeURIComponent(refreshToken)}`, { token: refreshToken })
  await call('POST /account/password', { token, body: { currentPassword: password, password: short } })
  await call('POST /account/identities', { token, body: { method: 'password', password: { password } } })
  const headers = { cookie: `session=${token}`, 'user-agent': token, 'accept-language': key, 'x-forwarded-for': token }
  await call('GET /tenant-configuration', { headers })
}

/** Everything again while something inside throws errors that carry all they were given. */
async function useWhatIsBroken(): Promise<void> {
  const email = 'second@example.com'
  for (const part of ['statement', 'hash', 'courier'] as const) {
    const before = errorBodies.length
    const { body } = await call('POST /otp', { body: { scope: 'otp_signin', email } })
    broken = part
    const { id } = body.data
    const confirm = { step: 'confirm', token: id, password: newPassword() }
    await call('POST /auth/reset-password', { body: confirm })
    await call('POST /auth/sign-in', { body: { method: 'password', email, password: newPassword() } })
    const newcomer = { method: 'password', email: `${part}@example.com`, password: newPassword() }
    const signedUp = await call('POST /auth/sign-up', { body: newcomer })
    if (signedUp.status === 201) noteSession(signedUp)
    await call('POST /otp/resend', { body: { id, scope: 'otp_signin' } })
    // While its statements fail the outbox has no end to wait for.
    if (part !== 'statement') await service.service.services.delivery.drain()
    broken = null
    service.clock.advance(120_000)
    await noteCode(id)
    assert.ok(errorBodies.length > before, part)
  }
  assert.ok(errorBodies.some((text) => text.includes('INTERNAL_SERVER')))
  assert.ok(
    service.log.some((line) => line.includes('broken on purpose')),
    'the log tells of what broke',
  )
}

test('no password, code, key or token is in a log line, an error body or a file, whatever was asked and whatever broke', async (t) => {
  await useEverything()
  await useWhatIsBroken()
  assert.deepEqual([...called].sort(), Object.keys(operations).sort(), 'every operation was used')
  assert.deepEqual(findLeaks(service, secrets, errorBodies), [])
  t.diagnostic(
    `${secrets.size} secrets looked for in ${service.log.length} log lines and ${errorBodies.length} refusals`,
  )
})

test('addresses of people are in no log line either', () => {
  const people: Secrets = new Map([
    ['e-mail address', 'canary@example.com'],
    ['phone number', '+33612345678'],
  ])
  const leaks = findLeaks(service, people, errorBodies).filter(({ place }) => !place.startsWith('database'))
  assert.deepEqual(leaks, [])
})

test('the scan finds a leak that was planted in each of the places', async () => {
  const [name, secret] = [...secrets].find(([name]) => name.startsWith('password'))!
  const places = () => findLeaks(service, new Map([[name, secret]]), errorBodies).map(({ place }) => place)
  service.service.services.logger.trace({ body: { password: secret } }, 'planted')
  assert.deepEqual(places(), ['log'])
  service.service.services.logger.trace({ planted: Buffer.from(secret).toString('base64') }, 'planted')
  errorBodies.push(`planted ${encodeURIComponent(secret)}`)
  assert.deepEqual(places(), ['log', 'error bodies'])
  writeStored(service, 'UPDATE tenants SET name = ?', secret)
  assert.ok(places().includes('database-wal'))
})
