import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { enteredCode, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant
let takeover: ReturnType<typeof addressTakeover>

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant({ methods: ['password', 'otp'] })
  takeover = addressTakeover(service, tenant)
})
after(() => service.close())

const clientOf = ({ accessToken }: { readonly accessToken: string }) => tenant.client.withSession(accessToken)

async function reset(email: string): Promise<void> {
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  service.clock.advance(1_000)
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'chosen at the younger address' })
}

/** A second address of an account, and how its holder recovers the account. */
const recoveries = {
  'an undo for a number': {
    older: () => ({ email: newEmail() }),
    async add(owner: TestTenant['client']) {
      const phone = await takeover.change('phone', owner, newPhone())
      return {
        to: { phone },
        async recover() {
          const { accessToken } = await signInByCode(service, tenant, { phone })
          await tenant.client.withSession(accessToken).removeIdentity({ identityId: 'phone' })
          service.clock.advance(1_000)
          await tenant.client.recoverAccount(await takeover.undoOf(phone))
        },
      }
    },
  },
  'a reset at an e-mail address': {
    older: () => ({ phone: newPhone() }),
    async add(owner: TestTenant['client']) {
      const email = await takeover.change('email', owner, newEmail())
      await owner.changePassword({ password: 'chosen with the address' })
      return { to: { email }, recover: () => reset(email) }
    },
  },
}

for (const [name, { older, add }] of Object.entries(recoveries)) {
  test(`${name} refuses earlier codes to it, and none to an older address`, async () => {
    const to = older()
    const owner = await signInByCode(service, tenant, to)
    service.clock.advance(1_000)
    const younger = await add(clientOf(owner))
    service.clock.advance(1_000)
    const [first, second] = [await enteredCode(service, tenant, to), await enteredCode(service, tenant, to)]
    const own = await enteredCode(service, tenant, younger.to)
    for (let count = 0; count < 2; count++) await younger.recover()
    const session = await tenant.client.signIn({ method: 'otp', token: first })
    assert.equal(session.user.id, owner.user.id)
    await clientOf(session).stepUp({ method: 'otp', token: second })
    await refused(tenant.client.signIn({ method: 'otp', token: own }), 'OTP_NOT_CONSUMABLE')
    service.clock.advance(60_000)
    assert.equal((await signInByCode(service, tenant, younger.to)).user.id, owner.user.id)
  })
}

test('a number that a thief adds is younger than the address of a user who signed up when the clock was a year ahead', async () => {
  const given = { method: 'password', email: newEmail(), password: 'correct horse' } as const
  const year = 365 * 86_400_000
  service.clock.advance(year)
  await tenant.client.signUp(given)
  service.clock.advance(-year)
  const own = clientOf(await tenant.client.signIn(given))
  const { id } = await own.issueOtp({ scope: 'email_verification' })
  await tenant.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  service.clock.advance(1_000)
  const thief = clientOf(await tenant.client.signIn(given))
  const phone = await takeover.change('phone', thief, newPhone())
  service.clock.advance(1_000)
  await thief.removeIdentity({ identityId: 'phone' })
  const undo = await takeover.undoOf(phone)
  await own.changePassword({ currentPassword: given.password, password: 'battery staple' })
  await refused(tenant.client.recoverAccount(undo), 'OTP_NOT_PENDING')
})
