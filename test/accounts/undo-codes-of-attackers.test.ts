import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { enteredCode, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

const [password, newPassword] = ['correct horse', 'battery staple']
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
const signIn = (email: string, given = password) => tenant.client.signIn({ method: 'password', email, password: given })

async function reset(email: string): Promise<void> {
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: newPassword })
}

/** Adds a number to the account and removes it again. Returns it, with the code that restores it. */
async function plantUndo(client: TestTenant['client']) {
  const phone = await takeover.change('phone', client, newPhone())
  service.clock.advance(1_000)
  await client.removeIdentity({ identityId: 'phone' })
  service.clock.advance(1_000)
  return { phone, undo: await takeover.undoOf(phone) }
}

/** A user whose fresh access token was stolen. */
async function victim() {
  const email = newEmail()
  const { id: userId } = await service.admin.createUser(
    { tenantId: tenant.tenantId },
    { email, emailVerified: true, password },
  )
  service.clock.advance(1_000)
  const [stolen, own] = [await signIn(email), await signIn(email)]
  return { userId, email, thief: clientOf(stolen), own: clientOf(own) }
}
type Victim = Awaited<ReturnType<typeof victim>>

/** What a victim, or an operator for the victim, does to be rid of a thief. */
const recoveries: Record<string, (victim: Victim) => Promise<unknown>> = {
  'resetting the password': ({ email }) => reset(email),
  'changing the password': ({ own }) => own.changePassword({ currentPassword: password, password: newPassword }),
  'signing out the other sessions': ({ own }) => own.signOut({ scope: 'others' }),
  'signing out everywhere': ({ own }) => own.signOut({ scope: 'all' }),
  'undoing a later change of the e-mail address': async ({ email, thief }) => {
    await takeover.change('email', thief)
    service.clock.advance(1_000)
    await tenant.client.recoverAccount(await takeover.undoOf(email))
  },
  'an operator who ends the sessions': ({ userId }) =>
    service.admin.endUserSessions({ tenantId: tenant.tenantId, userId }),
  'an operator who replaces the address': ({ userId }) =>
    service.admin.updateUser({ tenantId: tenant.tenantId, userId }, { email: newEmail() }),
  'an operator who removes the next number': async ({ userId, thief }) => {
    await takeover.change('phone', thief)
    await service.admin.removeUserIdentity({ tenantId: tenant.tenantId, userId, identityId: 'phone' })
  },
}

for (const [name, recover] of Object.entries(recoveries)) {
  test(`${name} cancels the undo code of a number that a thief added and removed`, async () => {
    const found = await victim()
    const { undo } = await plantUndo(found.thief)
    await recover(found)
    await refused(tenant.client.recoverAccount(undo), 'OTP_NOT_PENDING')
    const { phone } = await service.admin.getUser({ tenantId: tenant.tenantId, userId: found.userId })
    assert.equal(phone, null)
  })
}

/** What a thief can do who has replaced the address. */
const attempts: Record<string, (found: Victim, address: string) => Promise<unknown>> = {
  'resets the password': (_, address) => reset(address),
  'changes the password': ({ thief }) => thief.changePassword({ password: newPassword }),
  'signs out everywhere': ({ thief }) => thief.signOut({ scope: 'all' }),
}

for (const [name, attempt] of Object.entries(attempts)) {
  test(`the undo code of the owner works after a thief who replaced the address ${name}`, async () => {
    const found = await victim()
    const address = await takeover.change('email', found.thief)
    service.clock.advance(1_000)
    await attempt(found, address)
    await tenant.client.recoverAccount(await takeover.undoOf(found.email))
    await reset(found.email)
    assert.equal((await signIn(found.email, newPassword)).user.id, found.userId)
  })
}

/** What makes the owner's address look younger than a number that a thief has added, if its time of verification changes. */
const renewals: Record<string, (found: Victim) => Promise<unknown>> = {
  'an undo': async ({ email, thief }) => {
    await takeover.change('email', thief)
    service.clock.advance(1_000)
    await tenant.client.recoverAccount(await takeover.undoOf(email))
    // A session without a proof of the restored address can change it from then on (ACCOUNT-10).
    service.clock.advance(72 * 3_600_000)
  },
  'an operator who sends the same address': ({ userId, email }) =>
    service.admin.updateUser({ tenantId: tenant.tenantId, userId }, { email }),
  'an operator who returns the address': async ({ userId, email, thief }) => {
    await takeover.change('email', thief)
    await service.admin.updateUser({ tenantId: tenant.tenantId, userId }, { email })
  },
  'an operator who verifies the address again': async ({ userId }) => {
    const path = { tenantId: tenant.tenantId, userId }
    await service.admin.updateUser(path, { emailVerified: false })
    await service.admin.updateUser(path, { emailVerified: true })
  },
  'the owner who changes back': async ({ email, thief, own }) => {
    await takeover.change('email', thief)
    service.clock.advance(1_000)
    await takeover.change('email', own, email)
  },
}

for (const [name, renew] of Object.entries(renewals)) {
  test(`an address stays older than a number that a thief added, also after ${name}`, async () => {
    const found = await victim()
    const phone = await takeover.change('phone', found.thief, newPhone())
    service.clock.advance(1_000)
    await renew(found)
    service.clock.advance(60_000)
    const thief = clientOf(await signInByCode(service, tenant, { phone }))
    await takeover.change('email', thief)
    service.clock.advance(1_000)
    await thief.signOut({ scope: 'others' })
    await tenant.client.recoverAccount(await takeover.undoOf(found.email))
    const { email } = await service.admin.getUser({ tenantId: tenant.tenantId, userId: found.userId })
    assert.equal(email, found.email)
  })
}

test('an undo for a number that a thief added keeps the undo code of the owner', async () => {
  const found = await victim()
  const { undo } = await plantUndo(found.thief)
  await takeover.change('email', found.thief)
  service.clock.advance(1_000)
  await tenant.client.recoverAccount(undo)
  await tenant.client.recoverAccount(await takeover.undoOf(found.email))
  const { email } = await service.admin.getUser({ tenantId: tenant.tenantId, userId: found.userId })
  assert.equal(email, found.email)
})

test('the undo code of a thief’s address ends with the recovery of an owner who changed the address back', async () => {
  const found = await victim()
  const address = await takeover.change('email', found.thief)
  service.clock.advance(1_000)
  await takeover.change('email', found.own, found.email)
  service.clock.advance(1_000)
  const undo = await takeover.undoOf(address)
  await found.own.changePassword({ currentPassword: password, password: newPassword })
  await refused(tenant.client.recoverAccount(undo), 'OTP_NOT_PENDING')
})

test('an address that cannot sign in at the tenant counts for none', async () => {
  const { tenantId, client } = await service.addTenant({ methods: ['password'] })
  const email = newEmail()
  const account = { email, phone: newPhone(), password, phoneVerified: true }
  const { id: userId } = await service.admin.createUser({ tenantId }, account)
  service.clock.advance(1_000)
  await service.admin.updateUser({ tenantId, userId }, { emailVerified: true })
  const stolen = await client.signIn({ method: 'password', email, password })
  const thief = client.withSession(stolen.accessToken)
  const { id } = await thief.changeEmail({ email: newEmail() })
  await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  service.clock.advance(1_000)
  await thief.changePassword({ password: newPassword })
  await client.recoverAccount(await takeover.undoOf(email))
  assert.equal((await service.admin.getUser({ tenantId, userId })).email, email)
})

/** How a person proves an address for the first time. Returns their account. */
const proofs: Record<string, (email: string) => Promise<string>> = {
  'a reset': async (email) => {
    await reset(email)
    return (await signIn(email, newPassword)).user.id
  },
  'a code to sign in': async (email) => (await signInByCode(service, tenant, { email })).user.id,
}

for (const [name, prove] of Object.entries(proofs)) {
  test(`a first proof by ${name} does not hand over an account that an undo code can restore to another`, async () => {
    const email = newEmail()
    const squatter = await tenant.client.signUp({ method: 'password', email, password })
    const { phone, undo } = await plantUndo(clientOf(squatter))
    const owner = await prove(email)
    assert.notEqual(owner, squatter.user.id)
    await tenant.client.recoverAccount(undo)
    assert.equal((await signInByCode(service, tenant, { phone })).user.id, squatter.user.id)
    assert.equal((await signInByCode(service, tenant, { email })).user.id, owner)
    const { email: left } = await service.admin.getUser({ tenantId: tenant.tenantId, userId: squatter.user.id })
    assert.equal(left, null)
  })
}

test('a first proof hands the account over when the undo code has expired', async () => {
  const email = newEmail()
  const squatter = await tenant.client.signUp({ method: 'password', email, password })
  await plantUndo(clientOf(squatter))
  service.clock.advance(72 * 3_600_000)
  assert.equal(await proofs['a code to sign in']!(email), squatter.user.id)
})

const { 'an operator who replaces the address': _, ...others } = recoveries
for (const [name, recover] of Object.entries(others)) {
  test(`a code to sign in that was requested before ${name} does not sign in after it`, async () => {
    const found = await victim()
    const { email } = found
    const token = await enteredCode(service, tenant, { email })
    service.clock.advance(1_000)
    await recover(found)
    await refused(tenant.client.signIn({ method: 'otp', token }), 'OTP_NOT_CONSUMABLE')
    service.clock.advance(60_000)
    assert.equal((await signInByCode(service, tenant, { email })).user.id, found.userId)
  })
}

test('nor does it step up the session that changed the password', async () => {
  const { email, own } = await victim()
  const token = await enteredCode(service, tenant, { email })
  service.clock.advance(1_000)
  await own.changePassword({ currentPassword: password, password: newPassword })
  await refused(own.stepUp({ method: 'otp', token }), 'OTP_NOT_CONSUMABLE')
})

test('the export does not contain the token of a reset that can still be completed', async () => {
  const { email, thief } = await victim()
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  const [pending] = (await thief.exportAccount()).otps.filter(({ scope }) => scope === 'reset_password')
  assert.equal(pending?.state, 'pending')
  assert.notEqual(pending?.id, id)
})
