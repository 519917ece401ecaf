import assert from 'node:assert/strict'
import type { Canaries } from './attacks/canaries.ts'
import { useConsole, useEvents, useOperators } from './use-administration.ts'

/** Calls every operation as intended, and then with all kinds of mistakes. */
export async function useEverything(canaries: Canaries): Promise<void> {
  const { call, newPassword, trackSession, trackKey, trackCode, google } = canaries
  const tenantId = (await call('POST /admin/tenants', { body: { name: 'Canaries' } })).body.data.id
  const tenant = `/admin/tenants/${tenantId}`
  const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: [google.clientId] } }
  const modules = { auth, otp: { length: 10, resendIntervalSeconds: 0 }, events: { detail: 'all' } }
  await call(`PUT ${tenant}/configuration`, { body: modules })
  await call(`PATCH ${tenant}/configuration`, { body: { upload: null } })
  await call(`GET ${tenant}/configuration`)
  const schema = { components: [{ name: 'nick', type: 'text' }], forms: { short: { fields: ['nick'] } } }
  await call(`POST ${tenant}/profile-schema/check`, { body: schema })
  await call(`PUT ${tenant}/profile-schema`, { body: schema })
  await call(`GET ${tenant}/profile-schema`)
  await call(`GET ${tenant}/profile-schema/versions`)
  await call(`GET ${tenant}/profile-schema/versions/1`)
  await call(`GET ${tenant}/profile-schema/migration`)
  await call(`GET ${tenant}/profile-schema/diff?from=1`)
  const { key } = trackKey(await call(`POST ${tenant}/keys`, { body: { kind: 'secret' } }))
  canaries.useKey(key)
  const spare = trackKey(await call(`POST ${tenant}/keys`, { body: {} }))
  const rotated = trackKey(await call(`POST ${tenant}/keys/${spare.id}/rotate`, { body: {} }))
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
  const lines = { 'content-type': 'application/x-ndjson' }
  const imported = { email: 'imported@example.com', passwordHash: `{SHA256}${newPassword()}` }
  // Errors of a row are part of a success.
  canaries.errorBodies.push((await call(`POST ${tenant}/users/import`, { headers: lines, body: imported })).text)
  await call(`GET ${tenant}/users/export?passwordHashes=true`)
  await call('GET /metrics', { headers: { authorization: `Bearer ${canaries.service.adminKey}` } })
  await call(`GET ${user}`)
  await call(`PATCH ${user}`, { body: { restrictedCapabilities: [] } })
  await call(`PATCH ${user}/profile`, { body: { nick: 'canary' } })
  await call(`GET ${user}/profile`)
  const other = { method: 'password', email: 'second@example.com', password: newPassword() }
  trackSession(await call('POST /auth/sign-up', { body: other }))
  const token = trackSession(await call('POST /auth/sign-in', { body: { method: 'password', email, password } }))
  await call('GET /account/profile', { token })
  await call('PATCH /account/profile', { token, body: { nick: 'canary still' } })
  await call('POST /account/profile/check', { token, body: { nick: 'canary still' } })
  await call('GET /account/profile/forms/short', { token })
  await call('POST /auth/sign-up/check', { body: { profile: { nick: 'canary' } } })
  await call(`POST ${tenant}/delivery/preview`, { body: { kind: 'otp_signin', method: 'email' } })
  await call(`POST ${tenant}/delivery/test`, { body: { method: 'email', to: email } })
  await call('GET /tenant-configuration')
  await call('GET /admin/signing-keys')
  await call('POST /admin/signing-keys/rotate', { body: {} })
  const operator = trackKey(await call('POST /admin/operators', { body: { name: 'Canary', role: 'owner' } }))
  const second = trackKey(await call('POST /admin/operators', { body: { name: 'Second', role: 'viewer' } }))
  const headers = { authorization: `Bearer ${operator.key}` }
  for (const path of ['operators', `operators/${second.id}`, 'me']) await call(`GET /admin/${path}`, { headers })
  await call(`PATCH /admin/operators/${second.id}`, { headers, body: { role: 'support' } })
  trackKey(await call(`POST /admin/operators/${second.id}/rotate`, { headers, body: {} }))
  await call('GET /admin/operators', { headers: { authorization: `Bearer ${second.key}` } })
  await call(`DELETE /admin/operators/${second.id}`, { headers })
  await call('GET /admin/me', { headers: { authorization: `Bearer ${second.key}` } })
  await call('GET /.well-known/openid-configuration')
  for (const line of ['GET /.well-known/jwks.json', 'GET /healthz', 'GET /readyz', 'GET /openapi.json'])
    await call(line)
  await call('GET /profile-schema.json')

  for (const scope of ['email_verification', 'phone_verification', 'otp_signin']) {
    const body = scope === 'otp_signin' ? { scope, email } : { scope }
    const { id } = (await call('POST /otp', { token, body })).body.data
    const code = await trackCode(id)
    await call('POST /otp/resend', { body: { id, scope } })
    await call('POST /otp/status', { body: { id, scope } })
    await call('POST /otp/verify', { body: { id, scope, code: `${code}0` } })
    await call('POST /otp/verify', { body: { id, scope, code } })
    await call('POST /otp/verify', { body: { id, scope, code } })
  }
  const { id } = (await call('POST /auth/reset-password', { body: { step: 'challenge', email } })).body.data
  await call('POST /otp/verify', { body: { id, scope: 'reset_password', code: await trackCode(id) } })
  await call('POST /auth/reset-password', { body: { step: 'confirm', token: id, password: newPassword() } })
  await call(`GET ${user}/identities`)
  await call(`POST ${user}/reset-password`)
  await call(`GET ${tenant}/statistics`)
  await call(`GET ${tenant}/messages/statistics`)
  await call('GET /admin/statistics')
  await call('GET /admin/deployment')
  const { body: listed } = await call(`GET ${tenant}/messages`)
  await call(`POST ${tenant}/messages/${listed.data.items[0].id}/retry`)
  await useAccounts(canaries, tenant, user)
  await useOperators(canaries)
  await useConsole(canaries)
  await useEvents(canaries, tenant, token)
  await call(`DELETE ${user}`)
  await misuseEverything(canaries, key, token)
}

/** All sign-in methods, a chain of refreshes with a reuse, and all operations of a signed-in user. */
async function useAccounts(canaries: Canaries, tenant: string, user: string): Promise<void> {
  const { newPassword, newIdToken, trackSession, trackCode } = canaries
  const call: Canaries['call'] = async (line, raw) => {
    const answer = await canaries.call(line, raw)
    assert.ok(answer.status < 300, `${line}: ${answer.text}`)
    return answer
  }
  const google = { method: 'google', ...(await newIdToken('canary-google')) }
  const byGoogle = await call('POST /auth/sign-in', { body: google })
  const token = trackSession(byGoogle)
  const chain = [byGoogle.body.data.refreshToken]
  for (let turn = 0; turn < 3; turn++) {
    const refreshed = await call('POST /auth/refresh', { body: { refreshToken: chain.at(-1) } })
    trackSession(refreshed)
    chain.push(refreshed.body.data.refreshToken)
  }
  const [first, second] = [newPassword(), newPassword()]
  await call('POST /account/identities', { token, body: { method: 'password', password: first } })
  await call('POST /account/password', { token, body: { currentPassword: first, password: second } })
  canaries.trackAccessToken(await call('POST /auth/step-up', { token, body: { method: 'password', password: second } }))
  const changes = [
    ['email', { email: 'changed@example.com' }],
    ['phone', { phone: '+33698765432' }],
  ] as const
  for (const [kind, body] of changes) {
    const { id } = (await call(`POST /account/${kind}`, { token, body })).body.data
    await call('POST /otp/verify', { body: { id, scope: `${kind}_verification`, code: await trackCode(id) } })
  }
  const { id } = (await call('POST /otp', { body: { scope: 'otp_signin', email: 'fourth@example.com' } })).body.data
  await call('POST /otp/verify', { body: { id, scope: 'otp_signin', code: await trackCode(id) } })
  const fourth = trackSession(await call('POST /auth/sign-in', { body: { method: 'otp', token: id } }))
  const move = (await call('POST /account/email', { token: fourth, body: { email: 'fifth@example.com' } })).body.data.id
  const scope = 'email_verification'
  await call('POST /otp/verify', { body: { id: move, scope, code: await trackCode(move) } })
  await call('POST /account/recover', { body: await canaries.trackUndo('fourth@example.com') })
  await call('GET /account', { token })
  await call('GET /account/export', { token })
  await call('GET /account/activity', { token })
  const again = { method: 'google', ...(await newIdToken('canary-google')) }
  trackSession(await call('POST /auth/sign-in', { body: again }))
  const replayed = await canaries.call('POST /auth/sign-in', { body: google })
  assert.equal(replayed.body.error.code, 'INVALID_SOCIAL_TOKEN')
  const { sessions } = (await call('GET /account/sessions', { token })).body.data
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  await call(`DELETE /account/sessions/${other.id}`, { token })
  await call('DELETE /account/identities/phone', { token })
  const reused = await canaries.call('POST /auth/refresh', { body: { refreshToken: chain[0] } })
  assert.equal(reused.body.error.code, 'INVALID_REFRESH_TOKEN')
  assert.ok(canaries.service.log.some((line) => line.includes('refresh token reuse detected')))

  const guest = await call('POST /auth/sign-in', { body: { method: 'guest' } })
  await call('POST /auth/sign-out', { token: trackSession(guest), body: { scope: 'all' } })
  const another = trackSession(await call('POST /auth/sign-in', { body: { method: 'guest' } }))
  const linked = await call('POST /account/identities', {
    token: another,
    body: { method: 'google', ...(await newIdToken('linked')) },
  })
  // The guest's session ended with the first sign-in method.
  const upgraded = trackSession({ ...linked, body: { data: linked.body.data.session } })
  await call('DELETE /account', { token: upgraded })
  await call(`GET ${user}/sessions`)
  await canaries.call(`DELETE ${user}/sessions/unknown`)
  await canaries.call(`DELETE ${user}/identities/unknown`)
  await call(`DELETE ${user}/sessions`)
  await call(`GET ${tenant}/users?email=canary@example.com`)
}

/** Secrets in wrong places, in invalid bodies, and in rejected requests. */
async function misuseEverything(canaries: Canaries, key: string, token: string): Promise<void> {
  const { call, newPassword, newIdToken, service, secrets } = canaries
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
  await call('POST /account/profile/check', { token, body: { nick: { password }, [password]: password } })
  await call('POST /auth/sign-up/check', { body: { profile: [password] } })
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
  const headers = {
    cookie: `session=${token}`,
    'user-agent': token,
    'accept-language': key,
    'x-forwarded-for': token,
  }
  await call('GET /tenant-configuration', { headers })
}
