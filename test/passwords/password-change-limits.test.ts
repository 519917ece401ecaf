import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { PasswordHasherBusy } from '../../server/passwords/password-hasher.ts'
import { inNewNetwork } from '../support/new-network.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { atOnce, enteredCode, newPhone } from '../support/sign-in-methods.ts'

const HOUR = 3_600_000
const cheap = cheapHasher()
let isBusy = false
/** A hasher whose queue is full while `isBusy`. */
const hasher = Object.assign(Object.create(cheap), {
  async hash(...given: Parameters<typeof cheap.hash>) {
    if (isBusy) throw new PasswordHasherBusy()
    return cheap.hash(...given)
  },
}) as typeof cheap

/** Every limit and budget at its default. */
let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService({ hasher, limitsText: '' })
  tenant = await service.addTenant()
})
after(() => service.close())

/** A client with a fresh session from a new network. */
async function signedIn(email: string, password = 'correct horse') {
  const client = inNewNetwork(service, tenant)
  const { accessToken, refreshToken } = await client.signIn({ method: 'password', email, password })
  return { client: client.withSession(accessToken), refresh: () => client.refreshSession({ refreshToken }) }
}
const change = (client: TenantryClient, number: number) =>
  client.changePassword({ password: `battery staple ${number}` })
const noticesTo = async (recipient: string) => {
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient })
  return messages.filter(({ scope }) => scope === null).length
}

/** A user who receives notices. */
async function addVerifiedPerson() {
  const person = await addPerson(service, tenant)
  await person.verified('email_verification')
  return person
}

test('accepts 5 of 120 password changes within ten minutes and sends 5 notices (threat I11)', async () => {
  const { email } = await addVerifiedPerson()
  const outcomes: string[] = []
  for (let session = 0; session < 4; session++) {
    const { client } = await signedIn(email, session === 0 ? 'correct horse' : 'battery staple 4')
    for (let number = 0; number < 30; number++) {
      outcomes.push(
        await change(client, number).then(
          () => 'changed',
          ({ code }) => code,
        ),
      )
    }
  }
  assert.deepEqual(outcomes, [...Array(5).fill('changed'), ...Array(115).fill('TOO_MANY_REQUESTS')])
  assert.equal(await noticesTo(email), 5)
})

test('accepts at most 5 of 120 concurrent password changes, each with a notice (threat I11)', async () => {
  const { email } = await addVerifiedPerson()
  const clients: TenantryClient[] = []
  for (let count = 0; count < 4; count++) clients.push((await signedIn(email)).client)
  const answers = await atOnce(120, (index) => change(clients[index % 4]!, index))
  const made = answers.filter((answer) => typeof answer !== 'string')
  assert.ok(made.length >= 1 && made.length <= 5, `${made.length}`)
  assert.equal(await noticesTo(email), made.length)
})

test('accepts the next change an hour after the first, and does not limit other accounts', async () => {
  const [{ email }, neighbour] = [await addPerson(service, tenant), await addPerson(service, tenant)]
  const { client, refresh } = await signedIn(email)
  for (let number = 0; number < 5; number++) await change(client, number)
  const { retryAfter, rateLimit } = await refused(change(client, 5), 'TOO_MANY_REQUESTS')
  assert.deepEqual([retryAfter, rateLimit?.remaining], [3600, 24])
  await change((await signedIn(neighbour.email)).client, 0)
  service.clock.advance(HOUR - 1)
  const current = { currentPassword: 'battery staple 4', password: 'another password' }
  const later = client.withSession((await refresh()).accessToken)
  assert.equal((await refused(later.changePassword(current), 'TOO_MANY_REQUESTS')).retryAfter, 1)
  service.clock.advance(1)
  await later.changePassword(current)
})

test('an account adds 10 sign-in methods an hour, and removes any number (threat I11)', async () => {
  const { email } = await addVerifiedPerson()
  const { client, refresh } = await signedIn(email)
  const add = (by: TenantryClient, number: number) =>
    by.addIdentity({ method: 'password', password: `battery staple ${number}` })
  const remove = () => client.removeIdentity({ identityId: 'password' })
  await refused(add(client, 0), 'IDENTITY_ALREADY_LINKED')
  const address = await enteredCode(service, tenant, { email })
  await client.addIdentity({ method: 'otp', token: address })
  for (let number = 0; number < 10; number++) {
    await remove()
    await add(client, number)
  }
  await remove()
  const elsewhere = inNewNetwork(service, tenant).withSession((await refresh()).accessToken)
  assert.equal((await refused(add(elsewhere, 10), 'TOO_MANY_REQUESTS')).retryAfter, 3600)
  assert.equal(await noticesTo(email), 21)
})

test('an account asks for 10 codes to new addresses an hour, from all networks together (threat I11)', async () => {
  const person = await addPerson(service, tenant)
  await person.prove()
  const outcomes: string[] = []
  for (let session = 0; session < 3; session++) {
    const { client } = await signedIn(person.email)
    for (let number = 0; number < 5; number++) {
      const asked = client.changePhone({ phone: newPhone() })
      const id = await asked.then(({ id }) => id).catch(({ code }) => void outcomes.push(code))
      if (id === undefined) continue
      await client.verifyOtp({ id, scope: 'phone_verification', code: await service.codeOf(id) })
    }
  }
  assert.deepEqual(outcomes, Array(5).fill('TOO_MANY_REQUESTS'))
  // The first one says that the number was verified.
  assert.equal(await noticesTo(person.email), 11)
  const { client } = await signedIn(person.email)
  await refused(client.addIdentity({ method: 'otp', token: 'unknown' }), 'TOO_MANY_REQUESTS')
})

test('counts a wrong current password, but no request that hashes nothing', async () => {
  const { email } = await addPerson(service, tenant)
  const { client, refresh } = await signedIn(email)
  for (let count = 0; count < 4; count++) {
    await refused(
      client.changePassword({ currentPassword: 'wrong', password: 'another password' }),
      'INVALID_CREDENTIALS',
    )
    await refused(client.changePassword({ password: 'short' }), 'VALIDATION_ERROR')
  }
  isBusy = true
  await refused(change(client, 0), 'SERVICE_UNAVAILABLE').finally(() => {
    isBusy = false
  })
  service.clock.advance(600_000)
  const stale = client.withSession((await refresh()).accessToken)
  for (let count = 0; count < 6; count++) await refused(change(stale, count), 'FRESH_SIGN_IN_REQUIRED')
  await stale.changePassword({ currentPassword: 'correct horse', password: 'another password' })
  await refused(
    stale.changePassword({ currentPassword: 'another password', password: 'correct horse' }),
    'TOO_MANY_REQUESTS',
  )
})
