import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { budgets } from '../../contract/limits.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { type HashCaller, type PasswordHasher, PasswordHasherBusy } from '../../server/passwords/password-hasher.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { newEmail } from '../support/sign-in-methods.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The budgets under test at their defaults; every other limit is off. */
const limitsText = Object.entries(budgets)
  .filter(([name]) => name.startsWith('failed-passwords'))
  .reduce((text, [name, quota]) => `${text},${name}=${quota}`, 'all=off')

const cheap = cheapHasher()
let isBusy = false
/** A hasher whose queue is full while `isBusy`. */
const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
  async verify(stored: string, password: string, caller: HashCaller) {
    if (isBusy) throw new PasswordHasherBusy()
    return cheap.verify(stored, password, caller)
  },
  async spend(caller: HashCaller) {
    if (isBusy) throw new PasswordHasherBusy()
    return cheap.spend(caller)
  },
})
const statements: string[] = []
let service: TestService
let tenant: TestTenant

before(async () => {
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  service = await startTestService({ hasher, limitsText, hooks })
  tenant = await service.addTenant()
})
after(() => service.close())

let networks = 0
/** The first three bytes of an unused IPv4 network. */
const newNetwork = () => {
  networks++
  return `10.0.${networks}`
}
const from = (network: string, host = 1, { secretKey } = tenant) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: secretKey, clientIp: `${network}.${host}` })
const signIn = (email: string, password: string, network: string, at = tenant) =>
  from(network, 1, at).signIn({ method: 'password', email, password })
const fail = async (times: number, email: string, network: string, at = tenant) => {
  for (let time = 0; time < times; time++) await refused(signIn(email, 'wrong', network, at), 'INVALID_CREDENTIALS')
}
/** 10 failures from each of `count` new networks. */
const failFromEverywhere = async (count: number, email: string) => {
  for (let index = 0; index < count; index++) await fail(10, email, newNetwork())
}
/** `Retry-After` of a sign-in that is refused before the password is compared. */
async function waitOf({ email, password }: Person, network: string): Promise<number | undefined> {
  const { verifies } = cheap
  const { retryAfter } = await refused(signIn(email, password, network), 'TOO_MANY_REQUESTS')
  assert.equal(cheap.verifies, verifies)
  return retryAfter
}

test('allows 10 failures from one network in 15 minutes, 20 in an hour and 50 in a day, to the millisecond', async () => {
  const person = await addPerson(service, tenant)
  const network = newNetwork()
  const start = service.clock.now()
  const fails = async (at: number) => {
    service.clock.set(start + at)
    await fail(10, person.email, network)
  }
  const waits = async (at: number, until: number) => {
    service.clock.set(start + at)
    assert.equal(await waitOf(person, network), Math.ceil((until - at) / 1000))
  }
  await fails(0)
  await waits(0, 15 * MINUTE)
  await waits(15 * MINUTE - 1, 15 * MINUTE)
  await fails(15 * MINUTE)
  await waits(15 * MINUTE, 30 * MINUTE)
  // Only the hourly budget is used up. Refused attempts do not count in the others.
  await waits(30 * MINUTE, HOUR)
  for (let time = 0; time < 12; time++) await waits(HOUR - 1, HOUR)
  await fails(HOUR)
  await fails(75 * MINUTE)
  await waits(90 * MINUTE, 2 * HOUR)
  await fails(2 * HOUR)
  await waits(135 * MINUTE, DAY)
  for (let time = 0; time < 12; time++) await waits(DAY - 1, DAY)
  await fails(DAY)
})

test('counts per IPv4 /24 or IPv6 /48, account and tenant', async () => {
  const [person, neighbour] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  const other = await service.addTenant()
  await service.admin.createUser(other, { email: person.email, password: person.password })
  const network = newNetwork()
  const account = { method: 'password' as const, email: person.email, password: person.password }
  for (let host = 1; host <= 10; host++) {
    await refused(from(network, host).signIn({ ...account, password: 'wrong' }), 'INVALID_CREDENTIALS')
  }
  await refused(from(network, 200).signIn(account), 'TOO_MANY_REQUESTS')
  await refused(from(network, 200).signIn({ ...account, email: person.email.toUpperCase() }), 'TOO_MANY_REQUESTS')
  await signIn(neighbour.email, neighbour.password, network)
  await signIn(person.email, person.password, network, other)

  const ipv6 = (clientIp: string) =>
    createTenantryClient({ baseUrl: service.baseUrl, tenantKey: tenant.secretKey, clientIp })
  for (let host = 0; host < 10; host++) {
    const wrong = ipv6(`2001:db8:1:${host}::1`).signIn({ ...account, password: 'wrong' })
    await refused(wrong, 'INVALID_CREDENTIALS')
  }
  await refused(ipv6('2001:db8:1:ffff::1').signIn(account), 'TOO_MANY_REQUESTS')
  await ipv6('2001:db8:2::1').signIn(account)
})

test('allows 50 failures an hour and 150 a day from all unknown networks, without affecting networks known for the account', async () => {
  const person = await addPerson(service, tenant)
  const home = newNetwork()
  const atHome = await signIn(person.email, person.password, home)
  const attack = () => failFromEverywhere(5, person.email)
  await attack()
  assert.equal(await waitOf(person, newNetwork()), 3600)
  await signIn(person.email, person.password, home)
  // Failures of the owner and of strangers count separately.
  await fail(9, person.email, home)
  await signIn(person.email, person.password, home)

  service.clock.advance(HOUR - 1)
  assert.equal(await waitOf(person, newNetwork()), 1)
  service.clock.advance(1)
  await attack()
  service.clock.advance(HOUR)
  await attack()
  service.clock.advance(HOUR)
  assert.equal(await waitOf(person, newNetwork()), (DAY - 3 * HOUR) / 1000)
  await signIn(person.email, person.password, home)

  // The network stays known for 30 days after its last session ended.
  const { accessToken } = await from(home).refreshSession(atHome)
  await from(home).withSession(accessToken).signOut({ scope: 'all' })
  await fail(1, person.email, home)
  service.clock.advance(DAY - 3 * HOUR)
  await signIn(person.email, person.password, newNetwork())
  service.clock.advance(29 * DAY + 3 * HOUR - 1)
  await attack()
  await fail(1, person.email, home)
  service.clock.advance(1)
  assert.equal(await waitOf(person, home), 3600)
})

test('limits failures for an unknown address like those for an account', async () => {
  const email = newEmail()
  const { verifies } = cheap
  await failFromEverywhere(5, email)
  assert.equal(cheap.verifies - verifies, 50)
  const { retryAfter } = await refused(signIn(email, 'wrong', newNetwork()), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 3600)
})

test('does not treat a network as known because of another user’s session', async () => {
  const [person, stranger] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  const network = newNetwork()
  await signIn(stranger.email, stranger.password, network)
  await failFromEverywhere(5, person.email)
  assert.equal(await waitOf(person, network), 3600)
})

test('counts neither correct passwords nor refused attempts', async () => {
  const person = await addPerson(service, tenant)
  const right = async (network: string) => {
    const { accessToken } = await signIn(person.email, person.password, network)
    await tenant.client.withSession(accessToken).signOut({ scope: 'all' })
  }
  await failFromEverywhere(4, person.email)
  const network = newNetwork()
  await fail(9, person.email, network)
  for (let time = 0; time < 60; time++) await right(newNetwork())
  for (let time = 0; time < 12; time++) await right(network)
  await fail(1, person.email, network)
  await waitOf(person, network)
  // The previous failure came from a known network, so the shared budget has one left.
  await fail(1, person.email, newNetwork())
  for (let time = 0; time < 3; time++) await waitOf(person, newNetwork())
  service.clock.advance(HOUR)
  await failFromEverywhere(5, person.email)
  assert.equal(await waitOf(person, newNetwork()), 3600)
})

test('counts no failure while the hash queue is full', async () => {
  const person = await addPerson(service, tenant)
  for (const email of [person.email, newEmail()]) {
    const network = newNetwork()
    isBusy = true
    try {
      for (let time = 0; time < 60; time++) await refused(signIn(email, 'wrong', network), 'SERVICE_UNAVAILABLE')
    } finally {
      isBusy = false
    }
    await fail(10, email, network)
    await failFromEverywhere(4, email)
    await refused(signIn(email, 'wrong', newNetwork()), 'TOO_MANY_REQUESTS')
  }
})

test('counts a wrong current password of a password change in the same budget', async () => {
  const person = await addPerson(service, tenant)
  const network = newNetwork()
  const { accessToken } = await signIn(person.email, person.password, network)
  const change = (currentPassword: string) =>
    from(network).withSession(accessToken).changePassword({ currentPassword, password: 'battery staple' })
  for (let time = 0; time < 5; time++) await refused(change('wrong'), 'INVALID_CREDENTIALS')
  await fail(5, person.email, network)
  const { retryAfter } = await refused(change(person.password), 'TOO_MANY_REQUESTS')
  assert.equal(retryAfter, 900)
  await waitOf(person, network)
  service.clock.advance(15 * MINUTE)
  const { accessToken: later } = await signIn(person.email, person.password, network)
  const changed = { currentPassword: person.password, password: 'battery staple' }
  assert.deepEqual(await from(network).withSession(later).changePassword(changed), { success: true })
})

test('runs the same hashes and statements for an unknown address, a wrong password and an account without a password', async () => {
  const person = await addPerson(service, tenant)
  const passwordless = newEmail()
  await service.admin.createUser(tenant, { email: passwordless })
  const works = []
  for (const email of [person.email, newEmail(), passwordless]) {
    const network = newNetwork()
    await service.service.services.delivery.drain()
    const [hashes, verifies] = [cheap.hashes, cheap.verifies]
    statements.length = 0
    await refused(signIn(email, 'wrong', network), 'INVALID_CREDENTIALS')
    const own = statements.filter((name) => !/^(postgres\.)?(outbox|inbox|sqlite|directory)\./.test(name))
    works.push({ hashes: cheap.hashes - hashes, verifies: cheap.verifies - verifies, statements: own })
  }
  const [wrong, ...others] = works
  assert.deepEqual([wrong!.hashes, wrong!.verifies], [0, 1])
  assert.ok(wrong!.statements.includes('user.findByEmailOrFirst') && wrong!.statements.includes('session.knownNetwork'))
  for (const other of others) assert.deepEqual(other, wrong)
})
