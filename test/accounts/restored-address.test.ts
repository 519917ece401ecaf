import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'
import { addOpenTenant, enteredCode, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

const hour = 3_600_000
type Client = TestTenant['client']
let google: IdentityProvider
let service: TestService
let tenant: TestTenant
let at: ReturnType<typeof addressTakeover>

before(async () => {
  ;({ service, google } = await startServiceWithGoogle())
  tenant = await addOpenTenant(service, { google })
  at = addressTakeover(service, tenant)
})
after(() => Promise.all([service.close(), google.close()]))

/** The recipient of codes to an address of a person. */
const recipientOf = ({ email, phone }: Person, kind: 'email' | 'phone') => (kind === 'email' ? { email } : { phone })

const clientOf = ({ accessToken }: { readonly accessToken: string }) => tenant.client.withSession(accessToken)

/** A way to sign in that a thief adds to the account before they change an address. Returns how they come back. */
const planted: Record<string, (thief: Client, person: Person) => Promise<() => Promise<Client>>> = {
  'a password': async (thief, { email }) => {
    const password = 'the password of a thief'
    await thief.changePassword({ password })
    return async () => clientOf(await tenant.client.signIn({ method: 'password', email, password }))
  },
  'an account at a provider': async (thief) => {
    const sub = randomUUID()
    const proof = async () =>
      ({ method: 'google', idToken: await google.sign({ sub, email_verified: false, jti: randomUUID() }) }) as const
    await thief.addIdentity(await proof())
    return async () => clientOf(await tenant.client.signIn(await proof()))
  },
}

/** A person whose address of this kind was changed by a thief, and restored; and a code to it that was entered before. */
async function undone(kind: 'email' | 'phone', plant = planted['an account at a provider']!) {
  const { person, attacker } = await at.victimAndAttacker()
  const comeBack = await plant(attacker, person)
  const earlier = await enteredCode(service, tenant, recipientOf(person, kind))
  service.clock.advance(1000)
  await at.change(kind, attacker)
  service.clock.advance(1000)
  await tenant.client.recoverAccount(await at.undoOf(person[kind]))
  service.clock.advance(1000)
  return { person, comeBack, earlier }
}

const changes = {
  email: (client: Client) => client.changeEmail({ email: newEmail() }),
  phone: (client: Client) => client.changePhone({ phone: newPhone() }),
}

for (const kind of ['email', 'phone'] as const) {
  for (const [name, plant] of Object.entries(planted)) {
    test(`${kind}: a thief who had added ${name} cannot change or remove the restored address`, async () => {
      const { person, comeBack } = await undone(kind, plant)
      const thief = await comeBack()
      // The proof of its owner, in another session, does not help the thief.
      await signInByCode(service, tenant, recipientOf(person, kind))
      await changesNothing(service, () => refused(changes[kind](thief), 'ADDRESS_PROOF_REQUIRED'))
      await changesNothing(service, () => refused(thief.removeIdentity({ identityId: kind }), 'ADDRESS_PROOF_REQUIRED'))
      assert.equal((await at.accountOf(person))[kind], person[kind])
    })
  }

  test(`${kind}: its owner changes it after a sign-in with a code to it`, async () => {
    const { person, comeBack } = await undone(kind)
    const next = await at.change(kind, clientOf(await signInByCode(service, tenant, recipientOf(person, kind))))
    assert.equal((await at.accountOf(person))[kind], next)
    // The new address was not restored.
    await at.change(kind, await comeBack())
  })

  test(`${kind}: its owner changes it after a step-up with a code to it, and with no other proof`, async () => {
    const { person } = await undone(kind)
    const session = await person.signIn()
    async function stepUp(by: 'email' | 'phone') {
      const token = await enteredCode(service, tenant, recipientOf(person, by))
      return clientOf(await clientOf(session).stepUp({ method: 'otp', token }))
    }
    await refused(changes[kind](await stepUp(kind === 'email' ? 'phone' : 'email')), 'ADDRESS_PROOF_REQUIRED')
    await at.change(kind, await stepUp(kind))
  })

  test(`${kind}: a code to it that was requested before the undo does not link it again`, async () => {
    const { person, comeBack, earlier } = await undone(kind)
    const thief = await comeBack()
    await changesNothing(service, () =>
      refused(thief.addIdentity({ method: 'otp', token: earlier }), 'OTP_NOT_CONSUMABLE'),
    )
    await refused(changes[kind](thief), 'ADDRESS_PROOF_REQUIRED')
    const owner = await person.client()
    const token = await enteredCode(service, tenant, recipientOf(person, kind))
    await owner.addIdentity({ method: 'otp', token })
    await at.change(kind, owner)
  })

  test(`${kind}: its owner removes it after a sign-in with a code to it`, async () => {
    const { person } = await undone(kind)
    await clientOf(await signInByCode(service, tenant, recipientOf(person, kind))).removeIdentity({ identityId: kind })
    assert.equal((await at.accountOf(person))[kind], null)
  })

  test(`${kind}: any fresh sign-in changes it 72 hours after the undo`, async () => {
    const { comeBack } = await undone(kind)
    service.clock.advance(72 * hour - 1001)
    await refused(changes[kind](await comeBack()), 'ADDRESS_PROOF_REQUIRED')
    service.clock.advance(1)
    await changes[kind](await comeBack())
  })

  test(`${kind}: an operator changes and removes it at any time`, async () => {
    const { person } = await undone(kind)
    const path = { tenantId: tenant.tenantId, userId: person.userId }
    await service.admin.updateUser(path, kind === 'email' ? { email: newEmail() } : { phone: newPhone() })
    const other = await undone(kind)
    await service.admin.removeUserIdentity({ ...path, userId: other.person.userId, identityId: kind })
  })
}

test('its owner removes a number that a thief has added and restored, with a code to the older address', async () => {
  const email = newEmail()
  const first = await signInByCode(service, tenant, { email })
  service.clock.advance(1000)
  const phone = await at.change('phone', clientOf(first))
  await clientOf(first).removeIdentity({ identityId: 'phone' })
  await tenant.client.recoverAccount(await at.undoOf(phone))
  service.clock.advance(60_000)
  await clientOf(await signInByCode(service, tenant, { email })).removeIdentity({ identityId: 'phone' })
  assert.notEqual((await signInByCode(service, tenant, { phone })).user.id, first.user.id)
})

test('the other address and all other sign-in methods are not affected', async () => {
  const { person } = await undone('email')
  const client = await person.client()
  await at.change('phone', client)
  await client.changePassword({ password: 'a password of the owner' })
  const { identities } = await client.getAccount()
  await client.removeIdentity({ identityId: identities.find(({ method }) => method === 'google')!.id })
})

test('where codes do not sign in, the restored address stays for 72 hours', async () => {
  const without = await service.addTenant({ methods: ['password'] })
  const person = await addPerson(service, without)
  await person.verified('email_verification')
  const takeover = addressTakeover(service, without)
  service.clock.advance(1000)
  await takeover.change('email', await person.client())
  service.clock.advance(1000)
  await without.client.recoverAccount(await takeover.undoOf(person.email))
  await refused(changes.email(await person.client()), 'ADDRESS_PROOF_REQUIRED')
  service.clock.advance(72 * hour)
  await takeover.change('email', await person.client())
})
