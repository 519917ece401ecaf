import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'
import {
  addOpenTenant,
  enteredCode,
  newEmail,
  newPhone,
  type Recipient,
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

type Client = TestTenant['client']

const clientOf = ({ accessToken }: SessionAnswer): Client => tenant.client.withSession(accessToken)

/** Signs out the others, then signs in with a code that was entered before: the user's id, or the refusal. */
async function afterSignOut(client: Client, token: string): Promise<string> {
  service.clock.advance(1_000)
  await client.signOut({ scope: 'others' })
  return tenant.client.signIn({ method: 'otp', token }).then(
    ({ user }) => user.id,
    ({ code }) => code,
  )
}

test('a stolen token refuses no code of a user without other sessions, unless it is fresh', async () => {
  const email = newEmail()
  const session = await signInByCode(service, tenant, { email })
  const { user } = session
  const thief = clientOf(session)
  const requested = () => enteredCode(service, tenant, { email })
  assert.equal(await afterSignOut(thief, await requested()), 'OTP_NOT_CONSUMABLE')
  service.clock.advance(600_000)
  for (let count = 0; count < 3; count++) {
    const [first, second] = [await requested(), await requested()]
    assert.equal(await afterSignOut(thief, first), user.id)
    assert.equal(await afterSignOut(thief, second), 'OTP_NOT_CONSUMABLE', 'it was requested before that session ended')
  }
})

test('a squatter refuses no code to the owner of the address', async () => {
  const email = newEmail()
  const squatter = await tenant.client.signUp({ method: 'password', email, password: 'correct horse' })
  const token = await enteredCode(service, tenant, { email })
  assert.equal(await afterSignOut(clientOf(squatter), token), squatter.user.id)
})

/** Ways to sign in that a thief adds in the session of an owner; each returns how the thief signs in later. */
const added: Record<string, [owner: () => Recipient, add: (owner: Client) => Promise<() => Promise<SessionAnswer>>]> = {
  'an account at a provider': [
    () => ({ email: newEmail() }),
    async (owner) => {
      const claims = { sub: newEmail() }
      await owner.addIdentity({ method: 'google', idToken: await google.sign(claims) })
      return async () => tenant.client.signIn({ method: 'google', idToken: await google.sign(claims) })
    },
  ],
  'a number': [
    () => ({ email: newEmail() }),
    async (owner) => {
      const phone = newPhone()
      const { id } = await owner.changePhone({ phone })
      await tenant.client.verifyOtp({ id, scope: 'phone_verification', code: await service.codeOf(id) })
      return () => signInByCode(service, tenant, { phone })
    },
  ],
  'a password': [
    () => ({ phone: newPhone() }),
    async (owner) => {
      const chosen = { method: 'password', email: newEmail(), password: 'chosen by a thief' } as const
      await owner.addIdentity(chosen)
      return () => tenant.client.signIn(chosen)
    },
  ],
}

for (const [name, [newOwner, add]] of Object.entries(added)) {
  test(`a thief who has added ${name} refuses no code to the address before`, async () => {
    const to = newOwner()
    const owner = await signInByCode(service, tenant, to)
    service.clock.advance(1_000)
    const signIn = await add(clientOf(owner))
    service.clock.advance(1_000)
    const thief = await signIn()
    assert.equal(thief.user.id, owner.user.id)
    const token = await enteredCode(service, tenant, to)
    assert.equal(await afterSignOut(clientOf(thief), token), owner.user.id)
    // The owner's new session refuses the codes that a thief may have asked for.
    const own = await signInByCode(service, tenant, to)
    const other = await enteredCode(service, tenant, to)
    assert.equal(await afterSignOut(clientOf(own), other), 'OTP_NOT_CONSUMABLE')
  })
}

test('a step-up with a code to the older address makes the sign-out refuse codes', async () => {
  const to = { email: newEmail() }
  const first = await signInByCode(service, tenant, to)
  service.clock.advance(1_000)
  const signIn = await added['an account at a provider']![1](clientOf(first))
  const later = await signIn()
  const proof = await enteredCode(service, tenant, to)
  const { accessToken } = await clientOf(later).stepUp({ method: 'otp', token: proof })
  const token = await enteredCode(service, tenant, to)
  assert.equal(await afterSignOut(tenant.client.withSession(accessToken), token), 'OTP_NOT_CONSUMABLE')
})

/** Ways in which a thief with an older session of the owner could use an account at a provider to refuse codes. */
const combined: Record<string, (stolen: SessionAnswer, idToken: string) => Promise<Client>> = {
  'that ends sign-ins with it': async (stolen, idToken) => {
    await tenant.client.signIn({ method: 'google', idToken })
    return clientOf(stolen)
  },
  'that steps up with it': async (stolen, idToken) => {
    const { accessToken } = await clientOf(stolen).stepUp({ method: 'google', idToken })
    return tenant.client.withSession(accessToken)
  },
}

for (const [name, use] of Object.entries(combined)) {
  test(`a stolen session ${name} refuses no code, when a thief has added an account at a provider`, async () => {
    const to = { email: newEmail() }
    let stolen = await signInByCode(service, tenant, to)
    const claims = { sub: newEmail() }
    service.clock.advance(1_000)
    await clientOf(stolen).addIdentity({ method: 'google', idToken: await google.sign(claims) })
    service.clock.advance(600_000)
    const token = await enteredCode(service, tenant, to)
    for (let count = 0; count < 2; count++) {
      stolen = { ...stolen, ...(await tenant.client.refreshSession({ refreshToken: stolen.refreshToken })) }
      const thief = await use(stolen, await google.sign(claims))
      service.clock.advance(1_000)
      await thief.signOut({ scope: 'others' })
    }
    assert.equal(await afterSignOut(clientOf(stolen), token), stolen.user.id)
  })
}

test('a password that a thief has added refuses no code where it cannot be reset', async (context) => {
  const { tenantId } = tenant
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['reset_password'] })
  context.after(() => service.admin.updateTenant({ tenantId }, { restrictedCapabilities: [] }))
  const to = { email: newEmail() }
  const owner = await signInByCode(service, tenant, to)
  service.clock.advance(1_000)
  await clientOf(owner).changePassword({ password: 'chosen by a thief' })
  service.clock.advance(1_000)
  const thief = await tenant.client.signIn({ method: 'password', ...to, password: 'chosen by a thief' })
  assert.equal(await afterSignOut(clientOf(thief), await enteredCode(service, tenant, to)), owner.user.id)
})

test('a sign-in with a password refuses codes, also after a change of it', async () => {
  const person = await addPerson(service, tenant)
  await person.prove()
  service.clock.advance(1_000)
  const client = await person.client()
  await client.changePassword({ currentPassword: person.password, password: 'another long one' })
  const to = { email: person.email }
  const owner = clientOf(await person.signIn('another long one'))
  assert.equal(await afterSignOut(owner, await enteredCode(service, tenant, to)), 'OTP_NOT_CONSUMABLE')
})

test('a sign-in at the provider that is as old as the address refuses codes', async () => {
  const email = `${newEmail().split('@')[0]}@gmail.com`
  const idToken = await google.sign({ sub: email, email, email_verified: true })
  const owner = await tenant.client.signIn({ method: 'google', idToken })
  assert.equal(owner.user.email, email)
  const token = await enteredCode(service, tenant, { email })
  assert.equal(await afterSignOut(clientOf(owner), token), 'OTP_NOT_CONSUMABLE')
})

test('a stolen session of a time when the clock was a year ahead is not fresh', async () => {
  const email = newEmail()
  const year = 365 * 86_400_000
  service.clock.advance(year)
  const session = await signInByCode(service, tenant, { email })
  service.clock.advance(-year)
  const thief = clientOf(await tenant.client.refreshSession(session))
  assert.equal(await afterSignOut(thief, await enteredCode(service, tenant, { email })), session.user.id)
})

for (const [name, end] of [
  ['signed out the other sessions', (owner) => clientOf(owner).signOut({ scope: 'others' })],
  [
    'reset the password',
    async ({ user: { email } }) => {
      const { id } = await tenant.client.resetPassword({ step: 'challenge', email: email! })
      await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
      await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'chosen a year ahead' })
    },
  ],
] as [string, (owner: SessionAnswer) => Promise<unknown>][]) {
  test(`a user who ${name} when the clock was a year ahead signs in with new codes, and with none of that time`, async () => {
    const person = await addPerson(service, tenant)
    await person.verified('email_verification')
    const { email } = person
    const year = 365 * 86_400_000
    service.clock.advance(year)
    const owner = await signInByCode(service, tenant, { email })
    const token = await enteredCode(service, tenant, { email })
    await end(owner)
    service.clock.advance(-year)
    await refused(tenant.client.signIn({ method: 'otp', token }), 'OTP_NOT_CONSUMABLE')
    assert.equal((await signInByCode(service, tenant, { email })).user.id, owner.user.id)
  })
}
