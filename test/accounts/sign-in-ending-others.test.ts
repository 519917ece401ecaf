import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../packages/client/src/index.ts'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'
import {
  addOpenTenant,
  atOnce,
  enteredCode,
  isOpen,
  isOver,
  newEmail,
  newPhone,
  sessionIdOf,
  signInByCode,
} from '../support/sign-in-methods.ts'

let google: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;({ service, google } = await startServiceWithGoogle())
  tenant = await addOpenTenant(service, { google })
})
after(() => Promise.all([service.close(), google.close()]))

const clientOf = ({ accessToken }: SessionAnswer) => tenant.client.withSession(accessToken)
const idsOf = async (session: SessionAnswer) => (await clientOf(session).listSessions()).sessions.map(({ id }) => id)

type Proof = Exclude<InputOf<'signIn'>, { method: 'guest' }>

/** How an existing user proves who they are, again and again. */
const proofs: Record<string, () => Promise<() => Promise<Proof>>> = {
  'a password': async () => {
    const { email, password } = await addPerson(service, tenant)
    return async () => ({ method: 'password', email, password })
  },
  'a code': async () => {
    const email = newEmail()
    return async () => ({ method: 'otp', token: await enteredCode(service, tenant, { email }) })
  },
  'an account at a provider': async () => {
    const claims = { sub: newEmail() }
    return async () => ({ method: 'google', idToken: await google.sign(claims) })
  },
}

for (const [name, newUser] of Object.entries(proofs)) {
  test(`a sign-in with ${name} ends the other sessions if it says so, and no session of others`, async () => {
    const prove = await newUser()
    const bystander = await signInByCode(service, tenant, { email: newEmail() })
    const first = await tenant.client.signIn({ ...(await prove()), endOtherSessions: true })
    const second = await tenant.client.signIn(await prove())
    const third = await tenant.client.signIn({ ...(await prove()), endOtherSessions: false })
    assert.deepEqual((await idsOf(third)).sort(), [first, second, third].map(sessionIdOf).sort())

    const last = await tenant.client.signIn({ ...(await prove()), endOtherSessions: true })
    assert.equal(last.user.id, first.user.id)
    for (const session of [first, second, third]) await isOver(tenant, session)
    assert.deepEqual(await idsOf(last), [sessionIdOf(last)])
    await isOpen(tenant, last)
    await isOpen(tenant, bystander)
  })
}

test('a thief with an older session cannot end the session of such a sign-in', async () => {
  const to = { email: newEmail() }
  for (let round = 0; round < 5; round++) {
    const stolen = await signInByCode(service, tenant, to)
    const thief = clientOf(stolen)
    service.clock.advance(600_000)
    const token = await enteredCode(service, tenant, to)
    const [owner] = await Promise.all([
      tenant.client.signIn({ method: 'otp', token, endOtherSessions: true }),
      atOnce(12, async () => {
        const { sessions } = await thief.listSessions()
        const others = sessions.filter(({ current }) => !current)
        for (const { id } of others) await thief.endSession({ sessionId: id })
        await thief.signOut({ scope: 'others' })
      }),
    ])
    await isOver(tenant, stolen)
    await isOpen(tenant, owner)
    await clientOf(owner).signOut()
  }
})

test('a refused sign-in ends no session', async () => {
  const { email, signIn, userId } = await addPerson(service, tenant)
  const session = await signIn()
  const wrong = { method: 'password', email, password: 'wrong password', endOtherSessions: true } as const
  await refused(tenant.client.signIn(wrong), 'INVALID_CREDENTIALS')
  const token = await enteredCode(service, tenant, { email: newEmail() })
  const other = await tenant.client.signIn({ method: 'otp', token, endOtherSessions: true })
  assert.notEqual(other.user.id, userId)
  await refused(tenant.client.signIn({ method: 'otp', token, endOtherSessions: true }), 'OTP_ALREADY_CONSUMED')
  await isOpen(tenant, other)
  await isOpen(tenant, session)
})

test('ends codes and undo codes of younger addresses that a thief asked for, as a sign-out does', async () => {
  const to = { email: newEmail() }
  const thief = clientOf(await signInByCode(service, tenant, to))
  service.clock.advance(1_000)
  const takeover = addressTakeover(service, tenant)
  const phone = await takeover.change('phone', thief, newPhone())
  service.clock.advance(1_000)
  await thief.removeIdentity({ identityId: 'phone' })
  const undo = await takeover.undoOf(phone)
  const read = await enteredCode(service, tenant, to)
  service.clock.advance(1_000)
  const token = await enteredCode(service, tenant, to)
  service.clock.advance(1_000)
  await tenant.client.signIn({ method: 'otp', token, endOtherSessions: true })
  await refused(tenant.client.signIn({ method: 'otp', token: read }), 'OTP_NOT_CONSUMABLE')
  await refused(tenant.client.recoverAccount(undo), 'OTP_NOT_PENDING')
})

test('refuses no code after a sign-in with what a thief has added', async () => {
  const to = { email: newEmail() }
  const stolen = await signInByCode(service, tenant, to)
  service.clock.advance(1_000)
  const claims = { sub: newEmail() }
  await clientOf(stolen).addIdentity({ method: 'google', idToken: await google.sign(claims) })
  const token = await enteredCode(service, tenant, to)
  service.clock.advance(1_000)
  const thief = { method: 'google', idToken: await google.sign(claims), endOtherSessions: true } as const
  await isOpen(tenant, await tenant.client.signIn(thief))
  await isOver(tenant, stolen)
  const owner = await tenant.client.signIn({ method: 'otp', token })
  assert.equal(owner.user.id, stolen.user.id)
})
