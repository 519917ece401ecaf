import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import { changesNothing, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  addOpenTenant,
  atOnce,
  enteredCode,
  newEmail,
  newPhone,
  onlyWinner,
  signInByCode,
  userIdsOf,
} from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
})
after(() => service.close())

const signIn = (token: string, { client } = tenant) => client.signIn({ method: 'otp', token })

test('a sign-in consumes its code, also after the code would have expired', async () => {
  const token = await enteredCode(service, tenant, { email: newEmail() })
  const { user } = await signIn(token)
  const { state, user_id, consumed_at } = storedOtp(service, token)
  assert.deepEqual(
    { state, user_id, consumed_at },
    { state: 'consumed', user_id: user.id, consumed_at: service.clock.now() },
  )
  await changesNothing(service, () => refused(signIn(token), 'OTP_ALREADY_CONSUMED'))
  service.clock.advance(3_600_000)
  await changesNothing(service, () => refused(signIn(token), 'OTP_ALREADY_CONSUMED'))
})

test('creates one session for 20 concurrent sign-ins with one code', async () => {
  const token = await enteredCode(service, tenant, { email: newEmail() })
  const { winner, refusals } = onlyWinner(await atOnce(20, () => signIn(token)))
  assert.deepEqual([...new Set(refusals)], ['OTP_ALREADY_CONSUMED'])
  assert.equal(winner.isNewUser, true)
  assert.equal(storedRows(service, 'SELECT id FROM sessions WHERE user_id = ?', winner.user.id).length, 1)
})

test('creates one user for 20 codes of one new address used at once, and one answer says so', async () => {
  for (const to of [{ email: newEmail() }, { phone: newPhone() }]) {
    const tokens: string[] = []
    for (let index = 0; index < 20; index++) tokens.push(await enteredCode(service, tenant, to))
    const sessions = await Promise.all(tokens.map((token) => signIn(token)))
    assert.equal(new Set(sessions.map(({ user }) => user.id)).size, 1)
    assert.equal(sessions.filter(({ isNewUser }) => isNewUser).length, 1)
  }
})

test('rejects a code that is not verified, has too many wrong attempts or has expired', async () => {
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email: newEmail() })
  await changesNothing(service, () => refused(signIn(id), 'OTP_NOT_CONSUMABLE'))
  const guess = () => tenant.client.verifyOtp({ id, scope: 'otp_signin', code: 'wrong' })
  for (let wrong = 0; wrong < 5; wrong++) await refused(guess(), 'OTP_INVALID_CODE')
  await changesNothing(service, () => refused(signIn(id), 'OTP_NOT_CONSUMABLE'))

  const [inTime, late] = [
    await enteredCode(service, tenant, { email: newEmail() }),
    await enteredCode(service, tenant, { email: newEmail() }),
  ]
  service.clock.set(Number(storedOtp(service, late)['expires_at']) - 1)
  await signIn(inTime)
  service.clock.advance(1)
  await changesNothing(service, () => refused(signIn(late), 'OTP_NOT_FOUND'))
})

test('does not find a one-time password of another scope or tenant, or an unknown id', async () => {
  const person = await addPerson(service, tenant)
  const others: string[] = ['01JHTENANTRYTENANTRYTENANT', 'x']
  for (const scope of OtpScope.options) if (scope !== 'otp_signin') others.push(await person.verified(scope))
  const elsewhere = await addOpenTenant(service)
  others.push(await enteredCode(service, elsewhere, { email: person.email }))
  await changesNothing(service, async () => {
    for (const token of others) await refused(signIn(token), 'OTP_NOT_FOUND')
    await invalid(tenant.client.signIn({ method: 'otp' } as never), { token: 'Required' })
    await invalid(signIn(''), { token: 'String must contain at least 1 character(s)' })
  })
  await signIn(others.at(-1)!, elsewhere)
})

test('tells a restricted user so, and keeps the code valid', async () => {
  for (const to of [{ email: newEmail() }, { phone: newPhone() }]) {
    const { id: userId } = await service.admin.createUser(tenant, to)
    const who = { tenantId: tenant.tenantId, userId }
    const token = await enteredCode(service, tenant, to)
    for (const taken of [{ restrictedCapabilities: ['sign_in' as const] }, { suspension: { reason: 'Chargeback' } }]) {
      await service.admin.updateUser(who, taken)
      await changesNothing(service, () => refused(signIn(token), 'RESTRICTED_CAPABILITY'))
      assert.equal(storedOtp(service, token)['state'], 'verified')
      await service.admin.updateUser(who, { restrictedCapabilities: [], suspension: null })
    }
    const { user, isNewUser } = await signIn(token)
    assert.deepEqual([user.id, isNewUser], [userId, false])
  }
})

test('rejects codes where the tenant disabled the method or sign-in is restricted', async () => {
  const { tenantId } = tenant
  const token = await enteredCode(service, tenant, { email: newEmail() })
  await service.admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'guest'] } })
  await changesNothing(service, () => refused(signIn(token), 'AUTH_METHOD_NOT_ENABLED'))
  await service.admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp'] } })
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['sign_in'] })
  await changesNothing(service, () => refused(signIn(token), 'RESTRICTED_CAPABILITY'))
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: [] })
  assert.equal((await signIn(token)).isNewUser, true)
})

test('where sign-up is restricted, creates no user, keeps the code valid and signs known users in', async () => {
  const closed = await addOpenTenant(service)
  const [email, phone] = [newEmail(), newPhone()]
  for (const to of [{ email }, { phone }]) await signInByCode(service, closed, to)
  const users = userIdsOf(service, closed)
  await service.admin.updateTenant(closed, { restrictedCapabilities: ['sign_up'] })
  for (const to of [{ email: newEmail() }, { phone: newPhone() }]) {
    const token = await enteredCode(service, closed, to)
    await changesNothing(service, () => refused(signIn(token, closed), 'RESTRICTED_CAPABILITY'))
    assert.equal(storedOtp(service, token)['state'], 'verified')
  }
  for (const to of [{ email }, { phone }]) {
    assert.equal((await signInByCode(service, closed, to)).isNewUser, false)
  }
  assert.deepEqual(userIdsOf(service, closed), users)
})

test('treats the same address at another tenant as another user', async () => {
  const other = await addOpenTenant(service)
  const to = { email: newEmail() }
  const here = await signInByCode(service, tenant, to)
  const there = await signInByCode(service, other, to)
  assert.equal(there.isNewUser, true)
  assert.notEqual(there.user.id, here.user.id)
})
