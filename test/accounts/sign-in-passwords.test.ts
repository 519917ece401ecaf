import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryClient, type TenantryClient } from '../../packages/client/src/index.ts'
import {
  createPasswordHasher,
  type HashCaller,
  type PasswordHasher,
  PasswordHasherBusy,
} from '../../server/passwords/password-hasher.ts'
import { storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** Passwords that find the hash queue full. */
let busyWith: 'nothing' | 'hashing' | 'everything' = 'nothing'
const grown = createPasswordHasher({ memoryKiB: 16, passes: 2 })
/** Delays a sign-in between the comparison and the new session, when set. */
let afterComparing = (): Promise<void> => Promise.resolve()
/** The stronger hasher, with a queue that is full when set. */
const hasher: PasswordHasher = Object.assign(Object.create(grown), {
  async hash(password: string, caller: HashCaller) {
    if (busyWith !== 'nothing') throw new PasswordHasherBusy()
    return grown.hash(password, caller)
  },
  async verify(phc: string, password: string, caller: HashCaller) {
    if (busyWith === 'everything') throw new PasswordHasherBusy()
    const matches = await grown.verify(phc, password, caller)
    await afterComparing()
    return matches
  },
})
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ hasher, limitsText: 'all=off,failed-passwords=10/15m' })
  tenant = await service.addTenant()
})
after(() => service.close())

const signIn = (email: string, password: string, { client } = tenant) =>
  client.signIn({ method: 'password', email, password })
const from = (clientIp: string) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: tenant.secretKey, clientIp })
const hashOf = (userId: string) =>
  storedRow(service, 'SELECT password_hash FROM users WHERE id = ?', userId)['password_hash']

test('rejects even the right password after 10 failures in 15 minutes, from that network only', async () => {
  const person = await addPerson(service, tenant)
  for (const email of [person.email, 'no-account@example.com']) {
    const verifies = grown.verifies
    for (let wrong = 0; wrong < 10; wrong++) await refused(signIn(email, 'wrong'), 'INVALID_CREDENTIALS')
    const { retryAfter } = await refused(signIn(email, person.password), 'TOO_MANY_REQUESTS')
    assert.equal(retryAfter, 900)
    assert.equal(grown.verifies - verifies, 10)
  }
  const body = { method: 'password' as const, email: person.email, password: person.password }
  await from('203.0.113.9').signIn(body)
  const bystander = await addPerson(service, tenant)
  await bystander.signIn()
  service.clock.advance(899_999)
  await refused(person.signIn(), 'TOO_MANY_REQUESTS')
  service.clock.advance(1)
  await person.signIn()
})

test('a right password refunds its own count, and not those of the wrong ones before', async () => {
  const person = await addPerson(service, tenant)
  for (let wrong = 0; wrong < 9; wrong++) await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  for (let right = 0; right < 20; right++) await person.signIn()
  await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  await refused(person.signIn(), 'TOO_MANY_REQUESTS')
})

test('compares exactly 10 of 100 concurrent wrong passwords', async () => {
  const person = await addPerson(service, tenant)
  const verifies = grown.verifies
  const attempts = Array.from({ length: 100 }, () =>
    person.signIn('wrong').then(
      () => 'signed in',
      (error) => error.code,
    ),
  )
  const codes = await Promise.all(attempts)
  assert.equal(codes.filter((code) => code === 'INVALID_CREDENTIALS').length, 10)
  assert.equal(codes.filter((code) => code === 'TOO_MANY_REQUESTS').length, 90)
  assert.equal(grown.verifies - verifies, 10)
})

test('rehashes a password with weaker parameters at the next sign-in, once', async () => {
  const person = await addPerson(service, tenant)
  const weak = await cheapHasher().hash(person.password, tenant)
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', weak, person.userId)
  await refused(person.signIn('wrong'), 'INVALID_CREDENTIALS')
  assert.equal(hashOf(person.userId), weak)
  await person.signIn()
  const renewed = hashOf(person.userId)
  assert.match(String(renewed), /m=16,t=2/)
  await person.signIn()
  assert.equal(hashOf(person.userId), renewed)
})

test('answers 503 while the hash queue is full, and counts no failure', async () => {
  const person = await addPerson(service, tenant)
  busyWith = 'everything'
  try {
    for (let call = 0; call < 12; call++) {
      const { retryAfter } = await refused(person.signIn(), 'SERVICE_UNAVAILABLE')
      assert.equal(retryAfter, 1)
    }
  } finally {
    busyWith = 'nothing'
  }
  await person.signIn()
})

test('signs in although the rehash fails', async () => {
  const person = await addPerson(service, tenant)
  const weak = await cheapHasher().hash(person.password, tenant)
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', weak, person.userId)
  busyWith = 'hashing'
  try {
    await person.signIn()
  } finally {
    busyWith = 'nothing'
  }
  assert.equal(hashOf(person.userId), weak)
})

test('rejects a sign-in whose password is reset before its session is stored', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const compared = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  afterComparing = () => {
    compared.resolve()
    return goOn.promise
  }
  const signingIn = refused(person.signIn(), 'INVALID_CREDENTIALS')
  await compared.promise
  afterComparing = () => Promise.resolve()
  await tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  goOn.resolve()
  await signingIn
  assert.deepEqual(storedRows(service, 'SELECT * FROM sessions WHERE user_id = ?', person.userId), [])
  await person.signIn('battery staple')
})

test('rejects a sign-in whose user is suspended before its session is stored', async () => {
  const person = await addPerson(service, tenant)
  afterComparing = async () => {
    const path = { tenantId: tenant.tenantId, userId: person.userId }
    await service.admin.updateUser(path, { suspension: { reason: 'spam' } })
  }
  await refused(person.signIn(), 'RESTRICTED_CAPABILITY')
  afterComparing = () => Promise.resolve()
  assert.deepEqual(storedRows(service, 'SELECT id FROM sessions WHERE user_id = ?', person.userId), [])
})

test('rejects a step-up whose password is changed in the same session before it is accepted', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  afterComparing = async () => {
    afterComparing = () => Promise.resolve()
    await client.changePassword({ currentPassword: person.password, password: 'battery staple' })
  }
  await refused(client.stepUp({ method: 'password', password: person.password }), 'INVALID_CREDENTIALS')
  await client.stepUp({ method: 'password', password: 'battery staple' })
})

for (const [name, prove] of Object.entries({
  'a step-up': (client: TenantryClient, password: string) => client.stepUp({ method: 'password', password }),
  'a change': (client: TenantryClient, currentPassword: string) =>
    client.changePassword({ currentPassword, password: 'battery staple' }),
})) {
  test(`accepts the right password for ${name} while a sign-in rehashes it`, async () => {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const weak = await cheapHasher().hash(person.password, tenant)
    await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', weak, person.userId)
    afterComparing = async () => {
      afterComparing = () => Promise.resolve()
      await person.signIn()
    }
    await prove(client, person.password)
    assert.match(String(hashOf(person.userId)), /m=16,t=2/)
  })
}
