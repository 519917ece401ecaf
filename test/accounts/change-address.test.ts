import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { changesNothing, storedOtp, storedRow, storedRows } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ limitsText: 'all=off,codes-per-recipient=3/h' })
  tenant = await service.addTenant({ methods: ['password', 'otp', 'guest'] })
})
after(() => service.close())

/** The two kinds of address, and the names of their operations. */
const kinds = {
  email: {
    scope: 'email_verification',
    taken: 'EMAIL_ALREADY_REGISTERED',
    notice: 'email_changed',
    address: (number: number) => `new-${number}@example.com`,
    start: (client: TenantryClient, email: string) => client.changeEmail({ email }),
  },
  phone: {
    scope: 'phone_verification',
    taken: 'PHONE_ALREADY_REGISTERED',
    notice: 'phone_changed',
    address: (number: number) => `+33698${String(number).padStart(6, '0')}`,
    start: (client: TenantryClient, phone: string) => client.changePhone({ phone }),
  },
} as const
type Kind = keyof typeof kinds

let addresses = 0
const newAddress = (kind: Kind) => kinds[kind].address(++addresses)

async function verify(kind: Kind, id: string, { client } = tenant) {
  return client.verifyOtp({ id, scope: kinds[kind].scope, code: await service.codeOf(id) })
}

async function change(kind: Kind, client: TenantryClient, address = newAddress(kind)): Promise<string> {
  await verify(kind, (await kinds[kind].start(client, address)).id)
  return address
}

async function guest({ client } = tenant) {
  return client.withSession((await client.signIn({ method: 'guest' })).accessToken)
}

const noticeQuery = "SELECT kind, recipient FROM outbox WHERE user_id = ? AND kind <> 'otp' ORDER BY 2 DESC, created_at"
const noticesTo = (userId: string) => storedRows(service, noticeQuery, userId)

for (const kind of ['email', 'phone'] as const) {
  const { scope, taken, notice, start } = kinds[kind]

  test(`${kind}: changes and verifies the address when the code is verified, and notifies the addresses before`, async () => {
    const person = await addPerson(service, tenant)
    await person.prove()
    service.clock.advance(1)
    const client = await person.client()
    const before = await client.getAccount()
    const address = newAddress(kind)
    const { id, ...issued } = await start(client, address)
    assert.deepEqual(issued, {
      createdAt: new Date(service.clock.now()).toISOString(),
      expiresAt: new Date(service.clock.now() + 600_000).toISOString(),
      resendIntervalSeconds: 60,
    })
    assert.deepEqual(await client.getAccount(), before)
    const code = await service.codeOf(id)
    await refused(tenant.client.verifyOtp({ id, scope, code: `${code}0` }), 'OTP_INVALID_CODE')
    assert.deepEqual(await client.getAccount(), before)
    const earlier = [{ kind: 'identity_added', recipient: person.email }]
    assert.deepEqual(noticesTo(person.userId), earlier)
    assert.deepEqual(await tenant.client.verifyOtp({ id, scope, code }), { success: true })
    const { identities: _, ...user } = await client.getAccount()
    const { identities: __, ...was } = before
    assert.deepEqual(user, { ...was, [kind]: address, [`${kind}Verified`]: true, methods: ['password', 'otp'] })
    assert.equal(storedOtp(service, id)['state'], 'consumed')
    assert.deepEqual(noticesTo(person.userId), [
      ...earlier,
      { kind: notice, recipient: person.email },
      { kind: notice, recipient: person.phone },
    ])
    await service.service.services.delivery.drain()
    const { messages } = await service.admin.listTestingChannelMessages({ recipient: person[kind] })
    assert.ok([code, address].every((secret) => !messages.at(-1)!.text.includes(secret)))
  })

  test(`${kind}: cancels all other live one-time passwords of the user, including another change`, async () => {
    const [person, bystander] = [await addPerson(service, tenant), await addPerson(service, tenant)]
    const client = await person.client()
    const { id: otherChange } = await start(client, newAddress(kind))
    const { id: verification } = await person.issue(scope)
    const reset = await person.verified('reset_password')
    const others = await bystander.verified('reset_password')
    const code = await service.codeOf(otherChange)
    await change(kind, client)
    const states = [otherChange, verification, reset, others].map((id) => storedOtp(service, id)['state'])
    assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled', 'verified'])
    await changesNothing(service, () =>
      refused(tenant.client.verifyOtp({ id: otherChange, scope, code }), 'OTP_NOT_PENDING'),
    )
  })

  test(`${kind}: refuses the address of another user of the tenant at once, in any spelling`, async () => {
    const [person, holder] = [await addPerson(service, tenant), await addPerson(service, tenant)]
    const client = await person.client()
    const spelling = kind === 'email' ? ` ${holder.email.toUpperCase()}` : holder.phone.replace('+33', '+33 (0) ')
    await changesNothing(service, async () => {
      await refused(start(client, holder[kind]), taken)
      await refused(start(client, spelling), taken)
    })
  })

  test(`${kind}: refuses an address that another user took in the meantime, and changes nothing`, async () => {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const address = newAddress(kind)
    const { id } = await start(client, address)
    const { id: rival } = await service.admin.createUser({ tenantId: tenant.tenantId }, { [kind]: address })
    await service.codeOf(id)
    await changesNothing(service, () => refused(verify(kind, id), taken))
    assert.equal(storedOtp(service, id)['state'], 'pending')
    // Once the address is free again, the same code works.
    await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: rival })
    await verify(kind, id)
    assert.equal((await client.getAccount())[kind], address)
  })

  test(`${kind}: under enumeration protection only the reader of the code learns that the address is taken`, async () => {
    const careful = await service.addTenant({ configuration: { security: { enumerationProtection: true } } })
    const [person, holder] = [await addPerson(service, careful), await addPerson(service, careful)]
    const client = await person.client()
    const [known, unknown] = [await start(client, holder[kind]), await start(client, newAddress(kind))]
    assert.deepEqual(Object.keys(known), Object.keys(unknown))
    await service.codeOf(known.id)
    await changesNothing(service, () => refused(verify(kind, known.id, careful), taken))
    await verify(kind, unknown.id, careful)
  })

  test(`${kind}: verifies the current address without a notice, and cancels nothing`, async () => {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const { id: reset } = await person.issue('reset_password')
    await change(kind, client, person[kind])
    const account = await client.getAccount()
    assert.deepEqual([account[kind], account[`${kind}Verified`]], [person[kind], true])
    assert.deepEqual(noticesTo(person.userId), [])
    assert.equal(storedOtp(service, reset)['state'], 'pending')
  })

  test(`${kind}: turns a guest into a full user with the same id and profile in a new session, without a notice`, async () => {
    const planted = await guest()
    const { id: profileId } = await planted.updateProfile({})
    const { id } = await planted.getAccount()
    const address = newAddress(kind)
    const { session } = await verify(kind, (await start(planted, address)).id)
    await refused(planted.getAccount(), 'INVALID_USER_TOKEN')
    const client = tenant.client.withSession(session!.accessToken)
    const account = await client.getAccount()
    assert.deepEqual([account.id, account.guest, account.methods, account[kind]], [id, false, ['otp'], address])
    assert.equal((await client.getProfile()).id, profileId)
    assert.deepEqual(noticesTo(id), [])
  })

  test(`${kind}: accepts the address of a user of another tenant`, async () => {
    const holder = await addPerson(service, await service.addTenant())
    const { session } = await verify(kind, (await start(await guest(), holder[kind])).id)
    assert.equal(session!.user[kind], holder[kind])
  })

  test(`${kind}: resends the same code to the new address`, async () => {
    const client = await guest()
    const address = newAddress(kind)
    const { id } = await start(client, address)
    const code = await service.codeOf(id)
    service.clock.advance(60_000)
    await tenant.client.resendOtp({ id, scope })
    assert.equal(await service.codeOf(id), code)
    const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
    assert.deepEqual(
      messages.map(({ recipient }) => recipient),
      [address, address],
    )
    assert.equal((await verify(kind, id)).session!.user[kind], address)
  })

  test(`${kind}: the code of a deleted user changes nothing and creates no user`, async () => {
    const person = await addPerson(service, tenant)
    const address = newAddress(kind)
    const { id } = await start(await person.client(), address)
    await service.codeOf(id)
    await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
    await changesNothing(service, () => refused(verify(kind, id), 'OTP_NOT_PENDING'))
    assert.deepEqual(storedRows(service, `SELECT id FROM users WHERE ${kind} = ?`, address), [])
  })

  test(`${kind}: one of two users who verify the same new address at once gets it`, async () => {
    const [one, other] = [await guest(), await guest()]
    const address = newAddress(kind)
    const ids = [(await start(one, address)).id, (await start(other, address)).id]
    const codes = [await service.codeOf(ids[0]!), await service.codeOf(ids[1]!)]
    const results = await Promise.allSettled(
      ids.map((id, index) => tenant.client.verifyOtp({ id, scope, code: codes[index]! })),
    )
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(results.find((result) => result.status === 'rejected')?.reason.code, taken)
    storedRow(service, `SELECT id FROM users WHERE ${kind} = ?`, address)
  })

  test(`${kind}: counts the codes to one new address per recipient, across users`, async () => {
    const address = newAddress(kind)
    for (let count = 0; count < 3; count++) await start(await guest(), address)
    const client = await guest()
    await changesNothing(service, () => refused(start(client, address), 'TOO_MANY_REQUESTS'))
    await start(client, newAddress(kind))
  })
}

test('the new e-mail address signs in with the password and the old one does not; sessions continue', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const email = await change('email', client)
  const signIn = (email: string) => tenant.client.signIn({ method: 'password', email, password: person.password })
  assert.equal((await signIn(email)).user.id, person.userId)
  await refused(signIn(person.email), 'INVALID_CREDENTIALS')
  await client.getAccount()
})

test('reports each missing or invalid field, and a tenant without OTP settings', async () => {
  const client = await guest()
  await changesNothing(service, async () => {
    await invalid(client.changeEmail({} as never), { email: 'Required' })
    await invalid(client.changeEmail({ email: 'ada' }), { email: 'Invalid email' })
    await invalid(client.changePhone({ phone: '0612345678' }), { phone: 'Validation rule not met' })
    await invalid(client.changePhone({ phone: 33612345678 } as never), { phone: 'Expected string, received number' })
  })
  const bare = await service.addTenant({ methods: ['guest'] })
  const visitor = await guest(bare)
  await service.admin.replaceConfiguration({ tenantId: bare.tenantId }, { auth: { methods: ['guest'] } })
  await changesNothing(service, () =>
    refused(visitor.changeEmail({ email: 'ada@example.com' }), 'TENANT_NOT_CONFIGURED'),
  )
  await service.admin.updateTenant({ tenantId: bare.tenantId }, { restrictedCapabilities: ['otp'] })
  await refused(visitor.changeEmail({ email: 'ada@example.com' }), 'RESTRICTED_CAPABILITY')
})
