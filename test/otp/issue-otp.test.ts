import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing, storedMessages, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const phone = '+33612345678'

test('sends a sign-in code to the given e-mail address or phone number, whether or not a user has it', async () => {
  const known = await addPerson(service, tenant)
  const destinations = [
    { email: 'Jane@Example.com ', recipient: 'jane@example.com', method: 'email' },
    { email: known.email, recipient: known.email, method: 'email' },
    { phone, recipient: phone, method: 'sms' },
  ]
  for (const { recipient, method, ...address } of destinations) {
    const body = { scope: 'otp_signin', ...address }
    const { status, body: answer } = await request(service, 'POST /otp', { key: tenant.key, body })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(answer.data), ['id', 'createdAt', 'expiresAt', 'resendIntervalSeconds'])
    const { id } = answer.data
    assert.match(await service.codeOf(id), /^\d{6}$/)
    assert.deepEqual(
      storedMessages(service, id).map((row) => [row['recipient'], row['delivery_method'], row['state']]),
      [[recipient, method, 'sent']],
    )
    const { user_id, decoy } = storedOtp(service, id)
    assert.deepEqual({ user_id, decoy }, { user_id: null, decoy: 0 })
  }
})

test('sends a verification code to the address of the signed-in user, given or not', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const addresses = {
    email_verification: { email: person.email },
    phone_verification: { phone: person.phone },
  } as const
  for (const scope of ['email_verification', 'phone_verification'] as const) {
    for (const named of [{}, addresses[scope]]) {
      const { id } = await client.issueOtp({ scope, ...named })
      const { user_id, recipient } = storedOtp(service, id)
      assert.equal(user_id, person.userId)
      assert.ok([person.email, person.phone].includes(String(recipient)))
    }
  }
})

test("rejects an address that is not the user's own, and a kind of address the user lacks", async () => {
  const person = await addPerson(service, tenant)
  const other = await addPerson(service, tenant)
  const { tenantId } = tenant
  const account = { email: 'no-phone@example.com', password: 'correct horse' }
  await service.admin.createUser({ tenantId }, account)
  const { accessToken } = await tenant.client.signIn({ method: 'password', ...account })
  const withoutPhone = tenant.client.withSession(accessToken)
  const client = await person.client()
  await changesNothing(service, async () => {
    for (const email of [other.email, 'nobody@example.com']) {
      await invalid(client.issueOtp({ scope: 'email_verification', email }), { email: 'Validation rule not met' })
    }
    await invalid(client.issueOtp({ scope: 'phone_verification', phone: other.phone }), {
      phone: 'Validation rule not met',
    })
    await invalid(withoutPhone.issueOtp({ scope: 'phone_verification' }), { phone: 'Required' })
    await invalid(withoutPhone.issueOtp({ scope: 'phone_verification', phone }), { phone: 'Validation rule not met' })
  })
})

test('reports a missing user token after validating the body, and an invalid one before reading it', async () => {
  const issue = (body: object, accessToken?: string) =>
    tenant.client.issueOtp(body as never, accessToken === undefined ? {} : { accessToken })
  await changesNothing(service, async () => {
    await refused(issue({ scope: 'email_verification' }), 'MISSING_USER_TOKEN')
    await refused(issue({ scope: 'phone_verification' }), 'MISSING_USER_TOKEN')
    await invalid(issue({ scope: 'email_verification', email: 'none' }), { email: 'Invalid email' })
    await refused(issue({ scope: 'otp_signin', email: 'jane@example.com' }, 'no.jwt.here'), 'INVALID_USER_TOKEN')
    await refused(issue({}, 'no.jwt.here'), 'INVALID_USER_TOKEN')
  })
})

test('reports each invalid field', async () => {
  const issue = (body: object) => tenant.client.issueOtp(body as never)
  await changesNothing(service, async () => {
    await invalid(issue({}), { scope: 'Required' })
    await invalid(issue({ scope: 'otp_signin' }), { email: 'Required' })
    await invalid(issue({ scope: 'reset_password', email: 'jane@example.com' }), { scope: 'Invalid enum value' })
    await invalid(issue({ scope: 'otp_signin', email: 'jane@example.com', phone }), {
      phone: 'Validation rule not met',
    })
    await invalid(issue({ scope: 'otp_signin', email: ['jane@example.com'] }), {
      email: 'Expected string, received array',
    })
    await invalid(issue({ scope: 'otp_signin', email: 'jane' }), { email: 'Invalid email' })
  })
})

test('issues no code where the capability is restricted for the tenant', async () => {
  const restricted = await service.addTenant()
  await service.admin.updateTenant({ tenantId: restricted.tenantId }, { restrictedCapabilities: ['otp'] })
  await changesNothing(service, async () => {
    const issue = restricted.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
    await refused(issue, 'RESTRICTED_CAPABILITY')
    await refused(restricted.client.issueOtp({} as never), 'RESTRICTED_CAPABILITY')
  })
})

test('issues sign-in codes only where the tenant has code sign-in, and by e-mail where sign-up requires one', async () => {
  const email = 'jane@example.com'
  const withPasswords = await service.addTenant({ methods: ['password'] })
  const unset = await service.addTenant({ methods: ['otp'] })
  await service.admin.updateConfiguration(unset, { auth: null })
  const configuration = { security: { enumerationProtection: true } }
  const quiet = await service.addTenant({ methods: ['password'], configuration })
  const issue = ({ client }: TestTenant, to: object) => client.issueOtp({ scope: 'otp_signin', ...to })
  await changesNothing(service, async () => {
    for (const bare of [withPasswords, unset]) {
      for (const to of [{ email }, { phone }]) await refused(issue(bare, to), 'RESTRICTED_CAPABILITY')
    }
    await refused(issue(quiet, { phone }), 'RESTRICTED_CAPABILITY')
    await invalid(issue(withPasswords, { phone: '+33' }), { phone: 'Validation rule not met' })
    await invalid(issue(withPasswords, {}), { email: 'Required' })
  })
  await issue(quiet, { email })
})

test('verifies the addresses of signed-in users at a tenant without code sign-in, and of no other client', async () => {
  const bare = await service.addTenant({ methods: ['password'] })
  const person = await addPerson(service, bare)
  const client = await person.client()
  await changesNothing(service, async () => {
    await refused(bare.client.issueOtp({ scope: 'phone_verification', phone: person.phone }), 'MISSING_USER_TOKEN')
    await refused(bare.client.issueOtp({ scope: 'email_verification', email: person.email }), 'MISSING_USER_TOKEN')
    await refused(bare.client.changePhone({ phone }), 'MISSING_USER_TOKEN')
  })
  for (const scope of ['phone_verification', 'email_verification'] as const) await client.issueOtp({ scope })
  await client.changePhone({ phone })
})

test('issues no code without a sender for the delivery method', async () => {
  const emailOnly = { canDeliver: (method: string) => method === 'email', deliver: async () => ({}) }
  await using service = await startTestService({ transport: emailOnly })
  const { client } = await service.addTenant()
  await changesNothing(service, () =>
    refused(client.issueOtp({ scope: 'otp_signin', phone }), 'OTP_METHOD_NOT_AVAILABLE'),
  )
  await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
})

test('keeps no address of a code that is issued while its user is being deleted', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 20 || (outcomes.size < 2 && round < 200); round++) {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const asked = client.issueOtp({ scope: 'email_verification' })
    // One more turn each time, so that the deletion runs before, between and after the other's statements.
    for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
    const deleted = service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
    const [outcome] = await Promise.allSettled([asked, deleted])
    outcomes.add(outcome.status === 'fulfilled' ? 'issued' : outcome.reason.code)
    const kept = storedRows(service, 'SELECT recipient FROM otps WHERE user_id = ?', person.userId)
    assert.deepEqual(
      kept.filter(({ recipient }) => recipient !== ''),
      [],
    )
  }
  assert.deepEqual([...outcomes].sort(), ['TOKEN_USER_NOT_FOUND', 'issued'])
})
