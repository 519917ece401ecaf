import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addressTakeover, addressKinds as kinds } from '../support/attacks/address-takeover.ts'
import { changesNothing, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'
import {
  addOpenTenant,
  atOnce,
  isOver,
  newEmail,
  newPhone,
  onlyWinner,
  signInByCode,
} from '../support/sign-in-methods.ts'

const hour = 3_600_000
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

for (const kind of ['email', 'phone'] as const) {
  test(`${kind}: the undo restores the address and ends what the change led to`, async () => {
    const { person, session, attacker } = await at.victimAndAttacker()
    const sub = randomUUID()
    const stolen = await at.change(kind, attacker)
    await attacker.addIdentity({ method: 'google', idToken: await google.sign({ sub, email_verified: false }) })
    const attackers = await signInByCode(service, tenant, kind === 'email' ? { email: stolen } : { phone: stolen })
    const { id: pending } = await attacker.changeEmail({ email: newEmail() })

    assert.deepEqual(await tenant.client.recoverAccount(await at.undoOf(person[kind])), { success: true })
    const account = await at.accountOf(person)
    assert.deepEqual([account[kind], account[`${kind}Verified`]], [person[kind], true])
    for (const one of [session, attackers]) await isOver(tenant, one)
    assert.equal(storedOtp(service, pending)['state'], 'cancelled')
    const byGoogle = { method: 'google', idToken: await google.sign({ sub, email_verified: false }) } as const
    assert.notEqual((await tenant.client.signIn(byGoogle)).user.id, person.userId)
    const to = kind === 'email' ? { email: person.email } : { phone: person.phone }
    assert.equal((await signInByCode(service, tenant, to)).user.id, person.userId)
    assert.equal((await person.signIn()).user.id, person.userId, 'a password that was not touched stays')
  })

  test(`${kind}: the undo restores a removed address`, async () => {
    const { person, attacker } = await at.victimAndAttacker()
    await attacker.removeIdentity({ identityId: kind })
    assert.equal((await at.accountOf(person))[kind], null)
    await tenant.client.recoverAccount(await at.undoOf(person[kind]))
    assert.equal((await at.accountOf(person))[kind], person[kind])
  })

  test(`${kind}: an undo is valid once, for 72 hours, at its tenant`, async () => {
    const { person, attacker } = await at.victimAndAttacker()
    await at.change(kind, attacker)
    const undo = await at.undoOf(person[kind])
    const other = await service.addTenant()
    await refused(other.client.recoverAccount(undo), 'OTP_NOT_FOUND')
    await refused(tenant.client.recoverAccount({ ...undo, id: 'unknown' }), 'OTP_NOT_FOUND')
    service.clock.advance(72 * hour - 1)
    await tenant.client.recoverAccount(undo)
    await changesNothing(service, () => refused(tenant.client.recoverAccount(undo), 'OTP_ALREADY_CONSUMED'))

    const late = await at.victimAndAttacker()
    await at.change(kind, late.attacker)
    const expired = await at.undoOf(late.person[kind])
    service.clock.advance(72 * hour)
    await changesNothing(service, () => refused(tenant.client.recoverAccount(expired), 'OTP_NOT_FOUND'))
  })

  test(`${kind}: five wrong codes lock it`, async () => {
    const { person, attacker } = await at.victimAndAttacker()
    await at.change(kind, attacker)
    const undo = await at.undoOf(person[kind])
    for (let wrong = 0; wrong < 5; wrong++) {
      await refused(tenant.client.recoverAccount({ ...undo, code: 'wrong' }), 'OTP_INVALID_CODE')
    }
    await changesNothing(service, () => refused(tenant.client.recoverAccount(undo), 'OTP_MAX_ATTEMPTS_REACHED'))
  })

  test(`${kind}: one of 8 concurrent undos wins`, async () => {
    const { person, attacker } = await at.victimAndAttacker()
    await at.change(kind, attacker)
    const undo = await at.undoOf(person[kind])
    const { refusals } = onlyWinner(await atOnce(8, () => tenant.client.recoverAccount(undo)))
    assert.deepEqual(
      [...new Set(refusals)].filter((code) => !/^OTP_ALREADY_(VERIFIED|CONSUMED)$/.test(code)),
      [],
    )
  })

  test(`${kind}: the attacker can neither undo the undo nor change the address again beside it`, async () => {
    const { person, attacker } = await at.victimAndAttacker()
    const first = await at.change(kind, attacker)
    const undo = await at.undoOf(person[kind])
    const second = await at.change(kind, attacker)
    const attackersUndo = await at.undoOf(first)
    const { id } = await kinds[kind].start(attacker, kinds[kind].address())
    const codeOfThird = await service.codeOf(id)
    await Promise.allSettled([
      tenant.client.recoverAccount(undo),
      tenant.client.verifyOtp({ id, scope: kinds[kind].scope, code: codeOfThird }),
    ])
    assert.equal((await at.accountOf(person))[kind], person[kind])
    await refused(tenant.client.recoverAccount(attackersUndo), 'OTP_NOT_PENDING')
    await service.service.services.delivery.drain()
    const { messages } = await service.admin.listTestingChannelMessages({ recipient: second })
    for (const { scope, code, otpId } of messages) {
      if (scope !== null || code === null) continue
      await refused(tenant.client.recoverAccount({ id: otpId!, code }), 'OTP_NOT_PENDING')
    }
    assert.equal((await at.accountOf(person))[kind], person[kind])
  })

  test(`${kind}: restores an address that another account has claimed since, and not one it has verified`, async () => {
    const claimed = await at.victimAndAttacker()
    await at.change(kind, claimed.attacker)
    const { id: squatter } = await service.admin.createUser(tenant, { [kind]: claimed.person[kind] })
    await tenant.client.recoverAccount(await at.undoOf(claimed.person[kind]))
    assert.equal((await at.accountOf(claimed.person))[kind], claimed.person[kind])
    assert.equal((await service.admin.getUser({ tenantId: tenant.tenantId, userId: squatter }))[kind], null)

    const proven = await at.victimAndAttacker()
    await at.change(kind, proven.attacker)
    const { email, phone } = proven.person
    const newer = await signInByCode(service, tenant, kind === 'email' ? { email } : { phone })
    const undo = await at.undoOf(proven.person[kind])
    const taken = kind === 'email' ? 'EMAIL_ALREADY_REGISTERED' : 'PHONE_ALREADY_REGISTERED'
    await changesNothing(service, () => refused(tenant.client.recoverAccount(undo), taken))
    await tenant.client.withSession(newer.accessToken).deleteAccount()
    await tenant.client.recoverAccount(undo)
    assert.equal((await at.accountOf(proven.person))[kind], proven.person[kind])
  })

  test(`${kind}: an address that was never verified gets neither notice nor undo`, async () => {
    const person = await addPerson(service, tenant)
    await at.change(kind, await person.client())
    assert.deepEqual(
      storedRows(service, "SELECT id FROM outbox WHERE user_id = ? AND kind <> 'otp'", person.userId),
      [],
    )
  })
}

test('removes the other address too if it is newer than the change', async () => {
  const email = newEmail()
  const session = await signInByCode(service, tenant, { email })
  const client = tenant.client.withSession(session.accessToken)
  service.clock.advance(1000)
  await at.change('email', client)
  const phone = await at.change('phone', client)
  await tenant.client.recoverAccount(await at.undoOf(email))
  const user = await service.admin.getUser({ tenantId: tenant.tenantId, userId: session.user.id })
  assert.deepEqual([user.email, user.phone], [email, null])
  assert.notEqual((await signInByCode(service, tenant, { phone })).user.id, session.user.id)
})

test('the undo also ends what requests add that began before the change and ended after it', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  await at.change('email', attacker)
  const sub = randomUUID()
  const byGoogle = async () =>
    ({ method: 'google', idToken: await google.sign({ sub, email_verified: false }) }) as const
  // Their time is that of their arrival.
  service.clock.advance(-500)
  await attacker.changePassword({ password: 'chosen by the attacker' })
  const phone = await at.change('phone', attacker)
  await attacker.addIdentity(await byGoogle())
  service.clock.advance(500)

  await tenant.client.recoverAccount(await at.undoOf(person.email))
  await refused(person.signIn('chosen by the attacker'), 'INVALID_CREDENTIALS')
  assert.equal((await at.accountOf(person)).phone, null)
  for (const { user } of [await signInByCode(service, tenant, { phone }), await tenant.client.signIn(await byGoogle())])
    assert.notEqual(user.id, person.userId)
})

test('an undo for a number leaves the one for the e-mail address where numbers do not sign in', async () => {
  const password = 'correct horse'
  const { tenantId, client } = await service.addTenant({ methods: ['password'] })
  const passwordOnly = addressTakeover(service, { ...tenant, client })
  const [email, phone] = [newEmail(), newPhone()]
  const proven = { emailVerified: true, phoneVerified: true }
  const { id: userId } = await service.admin.createUser({ tenantId }, { email, phone, password, ...proven })
  const { accessToken } = await client.signIn({ method: 'password', email, password })
  for (const kind of ['phone', 'email'] as const) {
    service.clock.advance(1000)
    await passwordOnly.change(kind, client.withSession(accessToken))
  }
  for (const lost of [phone, email]) await client.recoverAccount(await at.undoOf(lost))
  const { methods } = await service.admin.getUser({ tenantId, userId })
  assert.deepEqual(methods, ['password', 'otp'])
  await client.resetPassword({ step: 'challenge', email })
})

test('reports each missing field; the code has eight digits', async () => {
  await invalid(tenant.client.recoverAccount({} as never), { id: 'Required', code: 'Required' })
  const { person, attacker } = await at.victimAndAttacker()
  await at.change('email', attacker)
  assert.match((await at.undoOf(person.email)).code, /^\d{8}$/)
})

test('does not find the user of an undo who was deleted', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  await at.change('email', attacker)
  const undo = await at.undoOf(person.email)
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  await changesNothing(service, () => refused(tenant.client.recoverAccount(undo), 'OTP_NOT_PENDING'))
})

test('a public operation on the id of an undo does not find a one-time password', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  await at.change('email', attacker)
  const { id, code } = await at.undoOf(person.email)
  for (const scope of ['email_verification', 'otp_signin', 'reset_password', 'phone_verification'] as const) {
    await refused(tenant.client.verifyOtp({ id, scope, code }), 'OTP_NOT_FOUND')
    await refused(tenant.client.resendOtp({ id, scope }), 'OTP_NOT_FOUND')
    await refused(tenant.client.getOtpStatus({ id, scope }), 'OTP_NOT_FOUND')
  }
  await invalid(tenant.client.verifyOtp({ id, scope: 'address_recovery' as never, code }), {
    scope: 'Invalid enum value',
  })
})
