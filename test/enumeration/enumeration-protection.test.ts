import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeContext } from '../../server/otp/otp.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { ofBackground } from '../support/databases/background-statements.ts'
import { changesNothing, storedMessages, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'reset_password'
const statements: string[] = []
let service: TestService
let tenant: TestTenant
let known: Person

before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
  tenant = await service.addTenant({ configuration: { security: { enumerationProtection: true } } })
  known = await addPerson(service, tenant)
})
after(() => service.close())

let unknownAddresses = 0
/** An address that no user of the tenant has, as long as that of `known`. */
const unknownEmail = () => `absent-${++unknownAddresses}@example.com`
const challenge = (email: string) => tenant.client.resetPassword({ step: 'challenge', email })
const confirm = (token: string, password = 'battery staple') =>
  tenant.client.resetPassword({ step: 'confirm', token, password })

/** The answer without ids and times. */
const shapeOf = ({ status, headers, body }: RawAnswer) => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, inner]) => [name, shape(inner)])
      : typeof value === 'string'
        ? value.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ULID')
        : value
  return { status, headers: [...headers.keys()], length: headers.get('content-length'), body: shape(body) }
}

/** The statements and hashes of a request, without those of background jobs. */
async function workOf(act: () => Promise<unknown>) {
  const { hasher, delivery } = service.service.services
  await delivery.drain()
  statements.length = 0
  const [hashes, verifies] = [hasher.hashes, hasher.verifies]
  await act()
  const own = statements.filter((name) => !ofBackground.test(name))
  return { statements: own, hashes: hasher.hashes - hashes, verifies: hasher.verifies - verifies }
}

/** The code of a decoy is never sent, so it is decrypted from the stored row. */
function secretCodeOf(id: string): string {
  const { sealed_code, recipient } = storedOtp(service, id)
  const context = codeContext(tenant.tenantId, id, scope, String(recipient))
  return createKeyring(service.masterKeys).open(String(sealed_code), context)
}

async function forBoth<T>(ask: (id: string) => Promise<T>): Promise<[T, T]> {
  const [real, decoy] = [await challenge(known.email), await challenge(unknownEmail())]
  await service.service.services.delivery.drain()
  return [await ask(real.id), await ask(decoy.id)]
}

test('reports an unknown address when enumeration protection is off', async () => {
  const open = await service.addTenant()
  const body = { step: 'challenge' as const, email: unknownEmail() }
  await refused(open.client.resetPassword(body), 'RESET_PASSWORD_USER_NOT_FOUND')
})

test('challenges an unknown or passwordless address like a known one, at the same cost', async () => {
  const passwordless = 'nopassw-1@example.com'
  await service.admin.createUser({ tenantId: tenant.tenantId }, { email: passwordless })
  const ask = (email: string) =>
    request(service, 'POST /auth/reset-password', { key: tenant.key, body: { step: 'challenge', email } })
  const answer = shapeOf(await ask(known.email))
  assert.equal(answer.status, 201)
  const work = await workOf(() => challenge(known.email))
  for (const email of [unknownEmail(), passwordless]) {
    assert.deepEqual(shapeOf(await ask(email)), answer)
    assert.deepEqual(await workOf(() => challenge(email)), work)
  }
  assert.ok(work.statements.some((name) => name === 'otp.add' || name === 'postgres.otp.issueWithEvent'))
})

test('reports a decoy and its resend as sent without sending them', async () => {
  const email = unknownEmail()
  const { id } = await challenge(email)
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id, scope })
  await service.service.services.delivery.drain()
  assert.deepEqual((await service.admin.listTestingChannelMessages({ recipient: email })).messages, [])
  assert.deepEqual((await service.admin.listTestingChannelMessages({ otpId: id })).messages, [])
  assert.deepEqual(
    storedMessages(service, id).map(({ state }) => state),
    ['sent', 'sent'],
  )
})

test('applies the resend interval and maximum to a decoy, at the same cost', async () => {
  const [real, decoy] = await forBoth(async (id) => {
    const resend = () => tenant.client.resendOtp({ id, scope })
    const retryAfter = [(await refused(resend(), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')).retryAfter]
    const work = []
    for (let count = 0; count < 3; count++) {
      service.clock.advance(60_000)
      work.push(await workOf(resend))
    }
    service.clock.advance(60_000)
    await refused(resend(), 'OTP_MAX_RESENDS_REACHED')
    service.clock.advance(-240_000)
    return { retryAfter, work }
  })
  assert.deepEqual(decoy, real)
})

test('limits code guesses on a decoy like on a real one-time password, at the same cost', async () => {
  const [real, decoy] = await forBoth(async (id) => {
    const code = secretCodeOf(id) === '000000' ? '000001' : '000000'
    const answers = []
    for (let guess = 0; guess < 7; guess++) {
      let answer: RawAnswer | undefined
      const body = { id, scope, code }
      const work = await workOf(async () => {
        answer = await request(service, 'POST /otp/verify', { key: tenant.key, body })
      })
      answers.push([shapeOf(answer!), work])
    }
    const codes = answers.map(([answer]) => JSON.stringify(answer).match(/OTP_[A-Z_]+/)?.[0])
    assert.deepEqual(codes, [...Array(5).fill('OTP_INVALID_CODE'), ...Array(2).fill('OTP_MAX_ATTEMPTS_REACHED')])
    await refused(confirm(id), 'OTP_NOT_CONSUMABLE')
    return answers
  })
  assert.deepEqual(decoy, real)
})

test('shows the same status for decoy and real one-time passwords in every state', async () => {
  const [real, decoy] = await forBoth(async (id) => {
    const status = async () =>
      shapeOf(await request(service, 'POST /otp/status', { key: tenant.key, body: { id, scope } }))
    const seen = [await status(), await workOf(status)]
    await refused(tenant.client.verifyOtp({ id, scope, code: 'wrong' }), 'OTP_INVALID_CODE')
    seen.push(await status())
    await tenant.client.verifyOtp({ id, scope, code: secretCodeOf(id) })
    seen.push(await status())
    await confirm(id, known.password)
    seen.push(await status())
    return JSON.stringify(seen)
  })
  assert.equal(decoy.replaceAll('a***@e***.com', 'p***@e***.com'), real)
  for (const word of ['pending', 'verified', 'consumed', '"delivery","queued"']) assert.ok(decoy.includes(word), word)
})

test('confirms a decoy with the right code without resetting a password or revealing it', async () => {
  const { hasher } = service.service.services
  const email = unknownEmail()
  const { id } = await challenge(email)
  await refused(confirm(id), 'OTP_NOT_CONSUMABLE')
  assert.deepEqual(await tenant.client.verifyOtp({ id, scope, code: secretCodeOf(id) }), { success: true })
  const hashes = hasher.hashes
  const users = storedRows(service, 'SELECT * FROM users ORDER BY id')
  assert.deepEqual(await confirm(id), { success: true })
  assert.equal(hasher.hashes - hashes, 1)
  await refused(confirm(id), 'OTP_ALREADY_CONSUMED')
  assert.deepEqual(storedRows(service, 'SELECT * FROM users ORDER BY id'), users)
  await refused(tenant.client.signIn({ method: 'password', email, password: 'battery staple' }), 'INVALID_CREDENTIALS')
  await service.service.services.delivery.drain()
  assert.deepEqual((await service.admin.listTestingChannelMessages({ recipient: email })).messages, [])
})

test('expires a decoy like a real one-time password', async () => {
  const { id, expiresAt } = await challenge(unknownEmail())
  const code = secretCodeOf(id)
  service.clock.set(Date.parse(expiresAt))
  await refused(tenant.client.verifyOtp({ id, scope, code }), 'OTP_NOT_FOUND')
  await refused(tenant.client.resendOtp({ id, scope }), 'OTP_NOT_FOUND')
  await refused(confirm(id), 'OTP_NOT_FOUND')
})

test('rejects sign-up without proof of the address alike for taken and free addresses', async () => {
  const signUp = (email: string, token?: string) =>
    tenant.client.signUp({ method: 'password', email, password: 'correct horse', token })
  const free = unknownEmail()
  const otherId = await known.issue('otp_signin').then(({ id }) => id)
  await service.codeOf(otherId)
  const proof = async (email: string) => {
    const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
    await tenant.client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
    return id
  }
  const elsewhere = await proof('elsewhere@example.com')
  await changesNothing(service, async () => {
    const work = []
    for (const email of [known.email, free]) {
      await invalid(signUp(email), { token: 'Required' })
      work.push(
        await workOf(async () => {
          await refused(signUp(email, 'unknown'), 'OTP_NOT_FOUND')
          await refused(signUp(email, otherId), 'OTP_NOT_CONSUMABLE')
          await refused(signUp(email, elsewhere), 'OTP_NOT_CONSUMABLE')
        }),
      )
    }
    assert.deepEqual(work[0], work[1])
    assert.equal(work[0]!.hashes, 0)
  })
  await refused(signUp(known.email, await proof(known.email)), 'EMAIL_ALREADY_REGISTERED')
  const token = await proof(free)
  const { user, isNewUser } = await signUp(free, token)
  assert.deepEqual([user.email, user.emailVerified, isNewUser], [free, true, true])
  assert.equal(storedOtp(service, token)['state'], 'consumed')
})
