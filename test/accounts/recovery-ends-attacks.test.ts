import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { changesNothing, storedOtp, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { newEmail, newPhone } from '../support/sign-in-methods.ts'

const newPassword = 'battery staple'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant({ methods: ['password', 'otp'] })
})
after(() => service.close())

interface Victim {
  readonly person: Person
  /** The session whose access token was stolen. */
  readonly stolen: SessionAnswer
  /** Another session of the victim. */
  readonly own: SessionAnswer
}

const clientOf = ({ accessToken }: SessionAnswer) => tenant.client.withSession(accessToken)
const pathOf = ({ person }: Victim) => ({ tenantId: tenant.tenantId, userId: person.userId })

/** The ways to end an attack: the victim's and the operator's. */
const recoveries: Record<string, (victim: Victim) => Promise<unknown>> = {
  'a password reset': async ({ person }) => {
    const token = await person.verified('reset_password')
    return tenant.client.resetPassword({ step: 'confirm', token, password: newPassword })
  },
  'a password change in another session': ({ person, own }) =>
    clientOf(own).changePassword({ currentPassword: person.password, password: newPassword }),
  'a password change in the very session that was stolen from': ({ person, stolen }) =>
    clientOf(stolen).changePassword({ currentPassword: person.password, password: newPassword }),
  'signing out the other sessions': ({ own }) => clientOf(own).signOut({ scope: 'others' }),
  'signing out everywhere': ({ own }) => clientOf(own).signOut({ scope: 'all' }),
  'signing out of the stolen session': ({ stolen }) => clientOf(stolen).signOut({ scope: 'this' }),
  'ending the stolen session': async ({ own, stolen }) => {
    const { sessions } = await clientOf(stolen).listSessions()
    return clientOf(own).endSession({ sessionId: sessions.find(({ current }) => current)!.id })
  },
  'the operator ending the sessions': (victim) => service.admin.endUserSessions(pathOf(victim)),
  'the operator suspending the user': (victim) =>
    service.admin.updateUser(pathOf(victim), { suspension: { reason: 'stolen' } }),
  'the operator restricting sign-in': (victim) =>
    service.admin.updateUser(pathOf(victim), { restrictions: [{ capability: 'sign_in', reason: 'stolen' }] }),
  'the deletion of the account': ({ own }) => clientOf(own).deleteAccount(),
}

const kinds = {
  email: {
    scope: 'email_verification',
    start: (session: SessionAnswer) => clientOf(session).changeEmail({ email: newEmail() }),
  },
  phone: {
    scope: 'phone_verification',
    start: (session: SessionAnswer) => clientOf(session).changePhone({ phone: newPhone() }),
  },
} as const

/** A victim whose stolen access token began a change to the attacker's address. */
async function attack(kind: keyof typeof kinds) {
  const person = await addPerson(service, tenant)
  await person.prove()
  const victim = { person, stolen: await person.signIn(), own: await person.signIn() }
  const { id } = await kinds[kind].start(victim.stolen)
  return { victim, id, code: await service.codeOf(id) }
}

const addressOf = (userId: string, kind: string) =>
  storedRows(service, `SELECT ${kind} AS address FROM users WHERE id = ?`, userId)[0]?.['address'] ?? null

for (const kind of ['email', 'phone'] as const) {
  const { scope } = kinds[kind]
  const all = Object.entries(recoveries)
  for (const [name, recover] of kind === 'email' ? all : sampleOf(all)) {
    test(`${kind}: a pending change cannot be completed after ${name}`, async () => {
      const { victim, id, code } = await attack(kind)
      await recover(victim)
      const address = addressOf(victim.person.userId, kind)
      await changesNothing(service, () => refused(tenant.client.verifyOtp({ id, scope, code }), 'OTP_NOT_PENDING'))
      assert.equal(addressOf(victim.person.userId, kind), address)
      service.clock.advance(60_000)
      await changesNothing(service, () => refused(tenant.client.resendOtp({ id, scope }), 'OTP_NOT_PENDING'))
    })

    test(`${kind}: of ${name} and a concurrent verification, the change comes first with its notice, or never`, async () => {
      const { victim, id, code } = await attack(kind)
      const { person } = victim
      const [verified] = await Promise.allSettled([tenant.client.verifyOtp({ id, scope, code }), recover(victim)])
      const undo = storedRows(
        service,
        "SELECT recipient FROM outbox WHERE user_id = ? AND kind = ? AND otp_id IS NOT NULL AND state <> 'cancelled'",
        person.userId,
        `${kind}_changed`,
      )
      if (verified.status === 'fulfilled') {
        if (name === 'the deletion of the account') assert.equal(addressOf(person.userId, kind), null)
        else {
          assert.notEqual(addressOf(person.userId, kind), person[kind])
          assert.deepEqual(undo, [{ recipient: person[kind] }])
        }
      } else {
        assert.ok(['OTP_NOT_PENDING'].includes(verified.reason.code), verified.reason.code)
        if (name !== 'the deletion of the account') assert.equal(addressOf(person.userId, kind), person[kind])
        assert.deepEqual(undo, [])
      }
    })
  }

  test(`${kind}: the requesting session may verify after a refresh, and other sessions cancel nothing`, async () => {
    const { victim, id, code } = await attack(kind)
    const { refreshToken } = victim.stolen
    await tenant.client.refreshSession({ refreshToken })
    await clientOf(victim.own).signOut({ scope: 'this' })
    assert.equal((await tenant.client.verifyOtp({ id, scope, code })).success, true)
    assert.equal(storedOtp(service, id)['state'], 'consumed')
  })

  test(`${kind}: rejects a wrong code without comparing it once the session is over`, async () => {
    const { victim, id } = await attack(kind)
    await recoveries['signing out everywhere']!(victim)
    await refused(tenant.client.verifyOtp({ id, scope, code: 'wrong' }), 'OTP_NOT_PENDING')
    assert.equal(storedOtp(service, id)['wrong_codes'], 0)
  })
}

test('an operator who ends the sessions cancels a reset, also when its code was entered', async () => {
  const end = recoveries['the operator ending the sessions']!
  const { victim: entered } = await attack('email')
  const token = await entered.person.verified('reset_password')
  await end(entered)
  await refused(tenant.client.resetPassword({ step: 'confirm', token, password: newPassword }), 'OTP_NOT_CONSUMABLE')

  const { victim: pending } = await attack('email')
  const { id } = await pending.person.issue('reset_password')
  const code = await service.codeOf(id)
  await end(pending)
  await refused(tenant.client.verifyOtp({ id, scope: 'reset_password', code }), 'OTP_NOT_PENDING')
})

test('a suspension that has expired blocks nothing', async () => {
  const { victim, id, code } = await attack('email')
  const until = new Date(service.clock.now() + 60_000).toISOString()
  await service.admin.updateUser(pathOf(victim), { suspension: { reason: 'a minute', until } })
  await refused(tenant.client.verifyOtp({ id, scope: 'email_verification', code }), 'OTP_NOT_PENDING')
  service.clock.advance(60_000)
  await tenant.client.verifyOtp({ id, scope: 'email_verification', code })
})

test("a code without a recorded session verifies the user's own addresses and changes none", async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const [own, ownPhone, move] = [
    await client.issueOtp({ scope: 'email_verification' }),
    await client.issueOtp({ scope: 'phone_verification' }),
    await client.changeEmail({ email: newEmail() }),
  ]
  for (const { id } of [own, ownPhone, move])
    await writeStored(service, 'UPDATE otps SET session_id = NULL WHERE id = ?', id)
  const verify = async (id: string, scope: 'email_verification' | 'phone_verification' = 'email_verification') =>
    tenant.client.verifyOtp({ id, scope, code: await service.codeOf(id) })
  await refused(verify(move.id), 'OTP_NOT_PENDING')
  await verify(own.id)
  await verify(ownPhone.id, 'phone_verification')
})
